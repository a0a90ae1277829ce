//! Names of values that specs, files and reports choose from.

/// Gives the variants of an enum their names: `ALL`, `name`, `Display` and `FromStr`. The text before the variants says
/// what a wrong name is not.
macro_rules! names {
    ($type:ident, $what:literal { $($variant:ident = $name:literal $(| $alias:literal)*),+ $(,)? }) => {
        impl $type {
            /// All variants.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The variant's name in specs, commands and messages.
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
                    _ => Err($crate::geometry::ParseError::unknown_name(text, $what, &[$($name),+])),
                }
            }
        }
    };
}

pub(crate) use names;
