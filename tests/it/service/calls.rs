//! Any call as a value: so that tables of calls can be sent, repeated and refused alike.

use std::pin::Pin;

use razz_dealer::grpc::client::{Client, fact, reason};
use tonic::{Code, Status};

use super::scene::{Scene, fresh};

/// The whole answer as text, or the status.
pub type Answer = Result<String, Status>;
type Answering = Pin<Box<dyn Future<Output = Answer> + Send>>;

pub struct Call {
    pub name: &'static str,
    pub send: Box<dyn Fn(Client, String) -> Answering>,
}

/// A call that changes something: it is sent under a request id.
macro_rules! change {
    ($service:ident.$rpc:ident($request:expr)) => {{
        let request = $request;
        let send = move |mut client: razz_dealer::grpc::client::Client, id: String| {
            let mut request = request.clone();
            request.request_id = id;
            let answer =
                async move { client.$service.$rpc(request).await.map(|answer| format!("{:?}", answer.get_ref())) };
            Box::pin(answer) as std::pin::Pin<Box<dyn Future<Output = _> + Send>>
        };
        $crate::service::calls::Call { name: stringify!($rpc), send: Box::new(send) }
    }};
}
pub(super) use change;

/// A call that only asks.
macro_rules! ask {
    ($service:ident.$rpc:ident($request:expr)) => {{
        let request = $request;
        let send = move |mut client: razz_dealer::grpc::client::Client, _: String| {
            let request = request.clone();
            let answer =
                async move { client.$service.$rpc(request).await.map(|answer| format!("{:?}", answer.get_ref())) };
            Box::pin(answer) as std::pin::Pin<Box<dyn Future<Output = _> + Send>>
        };
        $crate::service::calls::Call { name: stringify!($rpc), send: Box::new(send) }
    }};
}
pub(super) use ask;

impl Call {
    pub async fn send(&self, scene: &Scene, id: &str) -> Answer {
        (self.send)(scene.client.clone(), id.to_owned()).await
    }
}

/// What a refusal must say: code, reason, facts by name, and words of its message.
pub struct Refusal {
    pub code: Code,
    pub reason: &'static str,
    pub facts: Vec<(&'static str, String)>,
    pub words: Vec<String>,
}

/// `refusal!(Code, "REASON", { "fact": value, ... }, "word", ...)`.
macro_rules! refusal {
    ($code:ident, $reason:literal, { $($name:literal: $value:expr),* $(,)? } $(, $words:expr)* $(,)?) => {
        $crate::service::calls::Refusal {
            code: tonic::Code::$code,
            reason: $reason,
            facts: vec![$(($name, $value.to_string())),*],
            words: vec![$($words.to_string()),*],
        }
    };
}
pub(super) use refusal;

impl Refusal {
    /// That this is what was answered.
    pub fn check(&self, name: &str, answer: Answer) {
        let status = answer.expect_err(name);
        let said = status.message();
        assert_eq!((status.code(), reason(&status).as_str()), (self.code, self.reason), "{name}: {said}");
        for (fact_name, value) in &self.facts {
            assert_eq!(fact(&status, fact_name).as_ref(), Some(value), "{name}: the fact {fact_name} of {said}");
        }
        for words in &self.words {
            assert!(said.contains(words), "{name}: {words:?} is not in {said:?}");
        }
    }
}

/// Each call is refused as it should be, and leaves everything as it was. None is remembered: a second try with the
/// same id is refused alike.
pub async fn check_all(scene: &mut Scene, rows: Vec<(Call, Refusal)>) {
    let before = scene.state().await;
    for (call, refusal) in rows {
        let id = fresh();
        refusal.check(call.name, call.send(scene, &id).await);
        assert_eq!(scene.state().await, before, "{} {} changed something", call.name, refusal.reason);
        refusal.check(call.name, call.send(scene, &id).await);
    }
    assert_eq!(scene.state().await, before);
}
