//! Compiles the protos with a compiler written in Rust, so that nothing but cargo is needed to build.

use std::error::Error;
use std::path::PathBuf;

const FILES: [&str; 10] = [
    "razz/dealer/v1/rules.proto",
    "razz/dealer/v1/types.proto",
    "razz/dealer/v1/cards.proto",
    "razz/dealer/v1/record.proto",
    "razz/dealer/v1/record_table.proto",
    "razz/dealer/v1/error_reason.proto",
    "razz/dealer/v1/dealer_service.proto",
    "razz/dealer/v1/table_service.proto",
    "razz/dealer/v1/ledger_service.proto",
    "razz/dealer/v1/audit_service.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    // sqlx reads them at compile time.
    println!("cargo:rerun-if-changed=migrations");
    let mut compiler = protox::Compiler::new(["proto"])?;
    // Comments go along: they become the documentation of `pb`, and reflection shows them to callers.
    compiler.include_source_info(true).include_imports(true).open_files(FILES)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("razz_descriptor.bin"), compiler.encode_file_descriptor_set())?;
    tonic_prost_build::configure().compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}
