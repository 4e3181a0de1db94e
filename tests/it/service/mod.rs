//! The service over a real socket, call by call: every refusal with its facts, every changing call repeated, every
//! answer searched for cards, the chips of every account, and bytes that are no request.

mod calls;
mod ids;
mod lost;
mod money;
mod pages;
mod prepared;
mod refusals;
mod repeats;
mod views;
mod wire;

use super::contract::scene;
