//! Names of values that keys of specs choose from.

/// Gives the variants of an enum [their names](crate::geometry::names), makes them values of a
/// [key](super::KeyValue), and uses the same names in serde.
macro_rules! names {
    ($($type:ident { $($variant:ident = $name:literal $(| $alias:literal)*),+ $(,)? })+) => { $(
        $crate::geometry::names! { $type, "a known name" { $($variant = $name $(| $alias)*),+ } }

        impl $crate::planner::KeyValue for $type {
            const TAKES: $crate::planner::Takes = $crate::planner::Takes::Words(&[$($name $(, $alias)*),+]);

            fn parse(text: &str, _: $crate::planner::Takes) -> Option<Self> {
                text.parse().ok()
            }

            fn text(&self, _: $crate::planner::Takes) -> Option<String> {
                Some(self.name().to_owned())
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+ };
}

pub(crate) use names;
