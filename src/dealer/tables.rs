//! Tables as callers see them.

use super::live::Live;
use super::order::{Order, settings_bytes};
use super::request::{Ask, request_hash};
use super::{Dealer, DealerError, TableAnswer};
use crate::engine::{Settings, Table, TableCommand};
use crate::ledger::TableId;
use crate::record::StreamId;
use crate::store::StoreError;

impl Dealer {
    /// Makes a table, of the caller's id or of a new one.
    ///
    /// # Errors
    /// [`DealerError::TableExists`] where another request made a table of this id.
    pub async fn create_table(
        &self,
        table: Option<TableId>,
        settings: Settings,
        ask: &Ask,
    ) -> Result<TableAnswer, DealerError> {
        let _place = self.enter()?;
        let hash = request_hash("CreateTable", &[&settings_bytes(&settings)]);
        let id = match table {
            Some(id) => id,
            None => TableId(self.world.uuid_v7()?),
        };
        let mut guard = self.turn(id).await?;
        let fresh = Live::begun(id, Table::new(settings));
        match self.commit_new(fresh, ask, hash).await {
            Ok(live) => Ok(TableAnswer::of(guard.insert(Box::new(live)))),
            Err(StoreError::Conflict | StoreError::DuplicateRequest) => {
                let before = self.repeated(StreamId::of_table(id), ask, hash).await?;
                let record = before.ok_or(DealerError::TableExists(id))?;
                Ok(TableAnswer::of(&*self.as_of(id, &record).await?))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A command to seats or settings.
    ///
    /// # Errors
    /// Where the table is unknown, the rules refuse it, or the wallet cannot pay.
    pub async fn change_table(
        &self,
        table: TableId,
        command: TableCommand,
        ask: &Ask,
    ) -> Result<TableAnswer, DealerError> {
        Ok(TableAnswer::of(&*self.carry_out(table, ask, &Order::Table(command)).await?))
    }

    /// Binds the seed of the table's next hand.
    ///
    /// # Errors
    /// Where the table is unknown or takes no nonces, or there is no entropy.
    pub async fn prepare_hand(&self, table: TableId, ask: &Ask) -> Result<TableAnswer, DealerError> {
        Ok(TableAnswer::of(&*self.carry_out(table, ask, &Order::Prepare).await?))
    }

    /// A table as it stands.
    ///
    /// # Errors
    /// Where it is unknown or cannot be read.
    pub async fn table(&self, table: TableId) -> Result<TableAnswer, DealerError> {
        let mut guard = self.turn(table).await?;
        Ok(TableAnswer::of(self.current(table, &mut guard).await?))
    }

    /// Tables in the order of their ids, after `after`, at most `limit`.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn tables(&self, after: Option<TableId>, limit: u32) -> Result<Vec<TableAnswer>, DealerError> {
        let mut tables = Vec::new();
        for head in self.store.tables(after, limit).await? {
            let table = TableId(head.stream.0);
            let mut guard = self.turn(table).await?;
            if guard.as_ref().is_some_and(|live| live.seq < head.seq) {
                *guard = None;
            }
            tables.push(TableAnswer::of(self.loaded(table, &mut guard).await?));
        }
        Ok(tables)
    }
}
