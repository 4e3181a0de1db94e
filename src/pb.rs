//! The contract `razz.dealer.v1` as Rust types, generated from `proto/`, whose comments are the documentation.

#![allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated: the protos are what is read and linted")]

tonic::include_proto!("razz.dealer.v1");

/// The protos themselves, compiled, for server reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/razz_descriptor.bin"));
