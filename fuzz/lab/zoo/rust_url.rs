// SPDX-License-Identifier: Apache-2.0
//! The crate url, of reqwest and Servo.
use std::io::{self, BufWriter, Read, Write};
use url::Url;

const REFUSED: &str = "reject\t-\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N";

fn escaped(text: Option<&str>) -> String {
    let text = match text {
        Some(text) => text,
        None => return "\\N".to_string(),
    };
    let mut made = String::with_capacity(text.len());
    for octet in text.bytes() {
        if octet > 0x20 && octet < 0x7f && octet != b'\\' {
            made.push(octet as char);
        } else {
            made.push_str(&format!("\\x{octet:02X}"));
        }
    }
    made
}

fn userinfo(url: &Url) -> Option<String> {
    match (url.username(), url.password()) {
        ("", None) => None,
        (name, None) => Some(name.to_string()),
        (name, Some(password)) => Some(format!("{name}:{password}")),
    }
}

fn line(record: &[u8]) -> String {
    let url = match Url::parse(&String::from_utf8_lossy(record)) {
        Ok(url) => url,
        Err(_) => return REFUSED.to_string(),
    };
    let host = url.host_str().map(|host| host.trim_start_matches('[').trim_end_matches(']'));
    let port = url.port().map(|port| port.to_string());
    let effective = url.port_or_known_default().map(|port| port.to_string());
    let columns = [
        Some(url.scheme()),
        userinfo(&url).as_deref(),
        host,
        port.as_deref(),
        Some(url.path()),
        url.query(),
        url.fragment(),
        effective.as_deref(),
    ]
    .map(escaped);
    format!("accept\t-\t{}", columns.join("\t"))
}

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("--version") {
        println!("url {}", option_env!("URL_VERSION").unwrap_or("2"));
        return Ok(());
    }
    let mut data = Vec::new();
    io::stdin().read_to_end(&mut data)?;
    if data.last() == Some(&0) {
        data.pop();
    }
    let mut out = BufWriter::new(io::stdout());
    for record in data.split(|&octet| octet == 0) {
        let answer = std::panic::catch_unwind(|| line(record)).unwrap_or_else(|_| REFUSED.to_string());
        writeln!(out, "{answer}")?;
    }
    out.flush()
}
