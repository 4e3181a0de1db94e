//! The contract over a real socket: what is refused and how, what a repeat does, and who sees what.

mod refusals;
mod repeats;
pub mod scene;
mod viewers;

use razz_dealer::pb;
use scene::Scene;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};

#[tokio::test]
async fn health_answers_for_every_service() {
    let scene = Scene::start().await;
    let mut health = HealthClient::new(scene.channel().await);
    for service in ["DealerService", "TableService", "LedgerService", "AuditService"] {
        let service = format!("razz.dealer.v1.{service}");
        let answer = health.check(HealthCheckRequest { service }).await.expect("an answer");
        assert_eq!(answer.into_inner().status, i32::from(ServingStatus::Serving));
    }
    health.check(HealthCheckRequest::default()).await.expect("the server as a whole is healthy");
    drop(health);
    scene.stop().await;
}

/// Whoever watches a service that is told to stop learns of it, and does not keep it.
#[tokio::test]
async fn watchers_are_told_of_the_end_and_let_go() {
    let scene = Scene::start().await;
    let mut health = HealthClient::new(scene.channel().await);
    let mut watches = Vec::new();
    for service in ["", "razz.dealer.v1.DealerService"] {
        let request = HealthCheckRequest { service: service.to_owned() };
        let mut watch = health.watch(request).await.expect("a watch").into_inner();
        let first = watch.message().await.expect("a word").expect("a status");
        assert_eq!(first.status(), ServingStatus::Serving);
        watches.push(watch);
    }
    let told = async {
        for mut watch in watches {
            let last = watch.message().await.expect("a word").expect("a status");
            assert_eq!(last.status(), ServingStatus::NotServing);
            // One that is cut off when all patience is over ends with an error.
            assert_eq!(watch.message().await.expect("a good end"), None);
        }
        drop(health);
    };
    tokio::join!(scene.stop(), told);
}

/// Reflection of this version lists the services of the contract.
macro_rules! reflects {
    ($test:ident, $version:ident) => {
        #[tokio::test]
        async fn $test() {
            use tonic_reflection::pb::$version::ServerReflectionRequest;
            use tonic_reflection::pb::$version::server_reflection_client::ServerReflectionClient;
            use tonic_reflection::pb::$version::server_reflection_request::MessageRequest;
            use tonic_reflection::pb::$version::server_reflection_response::MessageResponse;

            let scene = Scene::start().await;
            let mut client = ServerReflectionClient::new(scene.channel().await);
            let list = MessageRequest::ListServices(String::new());
            let ask = ServerReflectionRequest { host: String::new(), message_request: Some(list) };
            let mut answers = client.server_reflection_info(tokio_stream(ask)).await.expect("a stream").into_inner();
            let answer = answers.message().await.expect("an answer").and_then(|answer| answer.message_response);
            let Some(MessageResponse::ListServicesResponse(list)) = answer else { panic!("{answer:?}") };
            let names: Vec<String> = list.service.into_iter().map(|service| service.name).collect();
            for service in ["DealerService", "TableService", "LedgerService", "AuditService"] {
                let name = format!("razz.dealer.v1.{service}");
                assert!(names.contains(&name), "{name} is not in {names:?}");
            }
            drop((answers, client));
            scene.stop().await;
        }
    };
}

reflects!(reflection_v1_lists_the_services, v1);
reflects!(reflection_v1alpha_lists_the_services, v1alpha);

/// A stream of one request.
fn tokio_stream<T: Send + Unpin + 'static>(item: T) -> impl tonic::IntoStreamingRequest<Message = T> {
    struct Once<T>(Option<T>);
    impl<T: Unpin> tonic::codegen::tokio_stream::Stream for Once<T> {
        type Item = T;
        fn poll_next(mut self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Option<T>> {
            std::task::Poll::Ready(self.0.take())
        }
    }
    Once(Some(item))
}

/// Everything that a refusal must leave as it was.
#[derive(Debug, PartialEq)]
pub struct State {
    pub table: Option<pb::TableView>,
    pub hand: Option<pb::HandView>,
    pub balances: Vec<i64>,
}
