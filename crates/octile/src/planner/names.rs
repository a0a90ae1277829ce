//! Names of values that specs, files and reports choose from.

/// Gives the variants of an enum their names in specs: `ALL`, `name`, `Display`, `FromStr`, the value of a
/// [key](super::KeyValue), and the same name in serde.
macro_rules! names {
    ($($type:ident { $($variant:ident = $name:literal $(| $alias:literal)*),+ $(,)? })+) => { $(
        impl $type {
            /// All variants.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The variant's name in specs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::geometry::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($name $(| $alias)* => Ok(Self::$variant),)+
                    _ => Err($crate::geometry::ParseError::unknown_name(text, "a known name", &[$($name),+])),
                }
            }
        }

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
