// SPDX-License-Identifier: Apache-2.0
//! reqwest, its blocking client.
mod adapter;

fn main() {
    let client = reqwest::blocking::Client::builder()
        .timeout(adapter::PATIENCE)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .unwrap();
    adapter::serve(concat!("reqwest ", env!("CRATE_VERSION")), &|url| {
        let response = client.get(url).send().map_err(|error| error.to_string())?;
        let status = response.status().as_u16();
        response.bytes().map_err(|error| error.to_string())?;
        Ok(status)
    });
}
