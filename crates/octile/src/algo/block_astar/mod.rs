//! Block A*: search over blocks of cells with a database of distances inside them (Yap et al. 2011).

pub mod lddb;
