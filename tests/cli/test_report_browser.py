# SPDX-License-Identifier: Apache-2.0
"""Tests report in headless Chromium: the drawing, in both colour schemes and on a narrow screen; no script
runs and nothing is requested."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
from collections import Counter

from helper import BAD, GOOD, Case, environment, instrumented, needs, run, takes_long
from hostile_markup import hostile_markup
from report_page import Tokens

try:
    import PIL.Image as images
except ImportError:
    images = None

CHROMIUM = shutil.which("chromium")
LIMIT = 60  # seconds for one run
PLACES = [b"http://example.com/|%s", b"http://%s.example/", b"http://%s@example.com/", b"http://example.com/?q=|%s", b"%s"]
REFUSED, ACCEPTED = (0xCF, 0x4A, 0x41), (0x3F, 0x9C, 0x72)
LIGHT, DARK = (0xF7, 0xF8, 0xF9), (0x12, 0x16, 0x1B)


def browse(path, *options):
    """Returns what Chromium writes about a page, with a fresh profile and without requests of its own."""
    with tempfile.TemporaryDirectory() as profile:
        command = [CHROMIUM, "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                   "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + profile, *(["--no-sandbox"] if os.getuid() == 0 else []), *options, "file://" + path]
        # its child processes end with it, because it leads a session
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(HOME=profile, TMPDIR=profile), start_new_session=True) as child:
            try:
                return child.communicate(timeout=LIMIT)[0]
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                raise


def pixels(path):
    """Returns the lines of a picture, each as a list of colours."""
    with images.open(path) as picture:
        width, height = picture.size
        colours = list(picture.convert("RGB").getdata())
    return [colours[row * width:(row + 1) * width] for row in range(height)]


@contextlib.contextmanager
def listener():
    """Returns a server on loopback that never answers, and the list of requests to it."""
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve():
            while True:
                try:
                    one, _ = server.accept()
                except OSError:
                    return
                with one:
                    one.settimeout(2)
                    with contextlib.suppress(OSError):
                        asked.append(one.recv(200))
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield "127.0.0.1:%d" % server.getsockname()[1], asked
        finally:
            server.shutdown(socket.SHUT_RDWR)
            server.close()
            thread.join(5)


@takes_long
@needs("chromium")
class Browser(Case):
    def setUp(self):
        if instrumented():
            self.skipTest("the page is the same")

    def shoot(self, content, width, height, *options):
        """Returns the lines of a screenshot."""
        path = self.file(content, "report.html")
        shot = path + ".png"
        browse(path, "--screenshot=" + shot, "--window-size=%d,%d" % (width, height), *options)
        return pixels(shot)

    @needs("python3-pil")
    def test_screenshots(self):
        """Light and dark, wide and narrow: the colours of the style sheet are there, and nothing overflows to
        the right."""
        lines = b"".join(b"2026-11-24T%02d:00:00Z %s\n" % (i % 24, BAD if i % 3 == 0 else GOOD) for i in range(240))
        content = run("report", "--time-prefix", "-o", "-", stdin=lines).out
        for width, options, ground in ((1200, [], LIGHT), (1200, ["--blink-settings=preferredColorScheme=0"], DARK), (500, [], LIGHT)):
            with self.subTest(width=width, ground=ground):
                shot = self.shoot(content, width, 900, *options)
                self.assertEqual((len(shot[0]), len(shot)), (width, 900))
                self.assertEqual({line[x] for line in shot for x in (0, 5, width - 6, width - 1)}, {ground})
                colours = Counter(colour for line in shot for colour in line)
                self.assertGreater(colours[ACCEPTED], 3000)
                if ground == LIGHT:
                    self.assertGreater(colours[REFUSED], 1000)
                self.assertGreater(len(colours), 100)  # antialiased letters have many colours
        # negative control: a style sheet with another digest than the page names is not applied
        shot = self.shoot(content.replace(b"--page:#f7f8f9", b"--page:#f7f8f8"), 1200, 400)
        self.assertNotIn(ACCEPTED, {colour for line in shot for colour in line})

    def test_inert(self):
        """Of 500 strings in every place no one runs or makes a request, and the elements are those of the
        file."""
        with listener() as (at, asked):
            # in a page of a file, // would refer to files
            strings = [string.replace(b"//" + at.encode(), b"http://" + at.encode()).replace(b"alert(1)", b"document.title='owned'")
                       for string in hostile_markup(500, at) if b"\0" not in string]
            pages = [run("report", "-0", "--sample=100", "-o", "-", stdin=b"\0".join(PLACES[k] % string for k in range(len(PLACES)) for string in strings[start:start + 100])).out
                     for start in range(0, len(strings), 100)]
            for content in pages:
                shown = browse(self.file(content, "report.html"), "--dump-dom", "--virtual-time-budget=3000").decode("ascii")
                self.assertEqual(Counter(re.findall(r"<([a-zA-Z]+)", re.sub(r"(?s)<style>.*?</style>", "<style>", shown))),
                                 Counter(re.findall(r"<([a-zA-Z]+)", re.sub(r"(?s)<style>.*?</style>", "<style>", content.decode("ascii")))))
                self.assertEqual(Tokens(shown).names.count("script"), 0)
                self.assertIn("<title>urivet report</title>", shown)
            self.assertEqual(asked, [])
            # negative control: some of the strings unescaped, without a security policy in the page
            loose = b"<!DOCTYPE html><title>x</title>" + b"".join(string for string in strings if string.startswith((b"<img", b"<svg")))
            shown = browse(self.file(loose, "report.html"), "--dump-dom", "--virtual-time-budget=3000")
            self.assertIn(b"<title>owned</title>", shown)
            self.assertTrue(asked)
