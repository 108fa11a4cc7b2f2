# SPDX-License-Identifier: Apache-2.0
"""Scrapy: the downloader of a crawler that is kept running, with its usual middlewares."""
import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerRunner
from scrapy.exceptions import DontCloseSpider

from adapter import TIMEOUT, serve_twisted

SETTINGS = {"ROBOTSTXT_OBEY": False, "RETRY_ENABLED": False, "REDIRECT_ENABLED": False, "HTTPPROXY_ENABLED": False,
            "DOWNLOAD_TIMEOUT": TIMEOUT, "TELNETCONSOLE_ENABLED": False, "DNS_TIMEOUT": TIMEOUT,
            "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7"}


class Waiting(scrapy.Spider):
    """Does nothing and never ends."""
    name = "waiting"

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stay, signals.spider_idle)
        return spider

    def stay(self):
        raise DontCloseSpider


runner = CrawlerRunner(SETTINGS)
crawler = runner.create_crawler(Waiting)


async def fetch(url: str) -> int:
    if not crawler.engine:
        crawler.crawl()
    return (await crawler.engine.download(scrapy.Request(url))).status


serve_twisted(f"Scrapy {scrapy.__version__}", fetch)
