//! Everything that rests in a database, as text, row by row.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection};

/// Rows by table. Bytes are hexadecimal.
pub type Dump = BTreeMap<String, Vec<String>>;

pub async fn of(url: &str) -> Dump {
    if url.starts_with("postgres") { postgres(url).await } else { sqlite(url).await }
}

async fn sqlite(path: &str) -> Dump {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut conn = SqliteConnection::connect_with(&options).await.expect("the file");
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '_sqlx%' ORDER BY name";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut conn).await.expect("tables");
    let mut dump = Dump::new();
    for table in tables {
        let columns = format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid");
        let columns: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(columns)).fetch_all(&mut conn).await.expect("columns");
        let each: Vec<String> = columns.iter().map(|name| format!("'{name}=' || quote({name})")).collect();
        let rows = format!("SELECT {} FROM {table}", each.join(" || ' ' || "));
        dump.insert(table, sqlx::query_scalar(AssertSqlSafe(rows)).fetch_all(&mut conn).await.expect("rows"));
    }
    conn.close().await.expect("closed");
    dump
}

async fn postgres(url: &str) -> Dump {
    let mut conn = PgConnection::connect(url).await.expect("the server");
    let tables = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
                  AND c.relname NOT LIKE '\\_sqlx%' ORDER BY 1";
    let tables = sqlx::query(tables).fetch_all(&mut conn).await.expect("tables");
    let mut dump = Dump::new();
    for table in tables {
        let table: String = table.get(0);
        let rows = format!("SELECT row_to_json(t)::text FROM {table} t ORDER BY 1");
        dump.insert(table, sqlx::query_scalar(AssertSqlSafe(rows)).fetch_all(&mut conn).await.expect("rows"));
    }
    conn.close().await.expect("closed");
    dump
}
