# SPDX-License-Identifier: Apache-2.0
"""yt-dlp, its generic extractor."""
import yt_dlp
import yt_dlp.version

from adapter import TIMEOUT, serve

OPTIONS = {"socket_timeout": TIMEOUT, "retries": 0, "extractor_retries": 0, "proxy": "", "quiet": True,
           "no_warnings": True, "skip_download": True, "cachedir": False, "logger": None}


def fetch(url: str) -> int:
    with yt_dlp.YoutubeDL(OPTIONS) as client:
        try:
            client.extract_info(url, download=False, process=False)
        except yt_dlp.utils.DownloadError as error:
            if "Unsupported URL" not in str(error):
                raise
    return 200      # it found no film there


serve(f"yt-dlp {yt_dlp.version.__version__}", fetch)
