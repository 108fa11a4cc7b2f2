// SPDX-License-Identifier: Apache-2.0
//! ureq.
mod adapter;

fn main() {
    let agent = ureq::builder().timeout(adapter::PATIENCE).redirects(0).build();
    adapter::serve(concat!("ureq ", env!("CRATE_VERSION")), &|url| match agent.get(url).call() {
        Ok(response) => Ok(response.status()),
        Err(ureq::Error::Status(status, _)) => Ok(status),
        Err(error) => Err(error.to_string()),
    });
}
