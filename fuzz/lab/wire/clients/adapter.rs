// SPDX-License-Identifier: Apache-2.0
// What the Rust clients share: URLs in, each ended by NUL; a line with the status or the error out.
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

/// What a client is told.
pub const PATIENCE: Duration = Duration::from_secs(3);

fn described(message: &str) -> String {
    let line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
    format!("! {line}")
}

fn answer(fetch: &dyn Fn(&str) -> Result<u16, String>, url: &str) -> String {
    match catch_unwind(AssertUnwindSafe(|| fetch(url))) {
        Ok(Ok(status)) if status >= 100 => status.to_string(),
        Ok(Ok(_)) => described("no status"),
        Ok(Err(error)) => described(&error),
        Err(_) => described("panic"),
    }
}

/// Gives each URL to fetch, which answers with the status or an error.
pub fn serve(version: &str, fetch: &dyn Fn(&str) -> Result<u16, String>) {
    if std::env::args().nth(1).as_deref() == Some("--version") {
        println!("{version}");
        return;
    }
    for record in io::stdin().lock().split(0) {
        let url = match record {
            Ok(octets) => String::from_utf8_lossy(&octets).into_owned(),
            Err(_) => return,
        };
        println!("{}", answer(fetch, &url));
        if io::stdout().flush().is_err() {
            return;
        }
    }
}
