# SPDX-License-Identifier: Apache-2.0
"""The fields of Django and pydantic."""
import unittest

import urivet
from test_fetching import here

GOOD, INSIDE, UNCLEAR = "https://example.com/a", "http://10.0.0.1/", "http://example.com\\@example.net/"


def hooks() -> urivet.Policy:
    return urivet.Policy.from_yaml("base: public\nhosts: {allow: [example.com]}\n")


@unittest.skipUnless(here("django"), "needs python3-django")
class Django(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        import django
        from django.conf import settings
        if not settings.configured:
            settings.configure(USE_I18N=False, INSTALLED_APPS=[])
            django.setup()

    def test_validator(self) -> None:
        from django.core.exceptions import ValidationError
        from urivet.django import URLValidator
        URLValidator()(GOOD)
        for url, code in ((INSIDE, "not-allowed"), (UNCLEAR, "unclear"), (f" {GOOD}", "unclear"), (None, "unclear"),
                          (GOOD.encode(), "unclear"), ("http://\ud800/", None)):
            with self.assertRaises(ValidationError) as caught:
                URLValidator()(url)
            if code:
                self.assertEqual(caught.exception.error_list[0].code, code)
        with self.assertRaises(ValidationError) as caught:
            URLValidator()("https://example.com/%7euser")
        self.assertIn("Write https://example.com/~user", caught.exception.messages)
        URLValidator("test_fields.hooks")(GOOD)
        with self.assertRaises(ValidationError):
            URLValidator("test_fields.hooks")("https://example.org/")
        for wrong in (None, 1, "unittest.TestCase"):
            self.assertRaises(TypeError, URLValidator, wrong)
        self.assertRaises(ImportError, URLValidator, "publik")
        self.assertEqual(URLValidator(), URLValidator("public"))

    def test_form(self) -> None:
        from django import forms
        from urivet.django import FormURLField

        class Form(forms.Form):
            url = FormURLField()
            other = FormURLField(policy=urivet.STRICT, required=False, strip=True)

        self.assertTrue(Form({"url": GOOD, "other": INSIDE}).is_valid())
        for data in (*({"url": url} for url in (INSIDE, UNCLEAR, "", f" {GOOD}", "example.com", GOOD + "a" * 2048)), {"url": GOOD, "other": f" {GOOD}"}):
            self.assertFalse(Form(data).is_valid(), data)

    def test_model(self) -> None:
        from django.core.exceptions import ValidationError
        from django.db import models
        from django.db.migrations.writer import MigrationWriter
        from urivet.django import FormURLField, URLField

        class Hook(models.Model):
            target = URLField(policy="test_fields.hooks")

            class Meta:
                app_label = "tests"

        Hook(target=GOOD).full_clean()
        for url in (INSIDE, "https://example.org/", ""):
            with self.assertRaises(ValidationError):
                Hook(target=url).full_clean()
        field = Hook._meta.get_field("target")
        self.assertIsInstance(field.formfield(), FormURLField)
        with self.assertRaises(ValidationError):
            field.formfield().clean("https://example.org/")
        written, imports = MigrationWriter.serialize(field)
        self.assertIn("policy='test_fields.hooks'", written)
        scope: dict = {}
        exec("\n".join(imports), scope)
        again = eval(written, scope)
        self.assertEqual(again.deconstruct()[1:], field.deconstruct()[1:])
        self.assertRaises(ValidationError, again.clean, INSIDE, None)
        self.assertEqual(again.clean(GOOD, None), GOOD)


@unittest.skipUnless(here("pydantic"), "needs python3-pydantic")
class Pydantic(unittest.TestCase):
    def test_types(self) -> None:
        import pydantic
        from urivet.pydantic import PublicURL, StrictURL, url

        class Hook(pydantic.BaseModel):
            target: PublicURL = GOOD
            strict: StrictURL = GOOD
            other: url(hooks()) = GOOD
            many: list[PublicURL] = []

        hook = Hook(target=GOOD, strict=INSIDE, other=GOOD, many=[GOOD])
        self.assertIs(type(hook.target), str)
        for wrong in ({"target": INSIDE}, {"target": UNCLEAR}, {"strict": UNCLEAR}, {"other": "https://example.org/"}, {"other": "https://example.com?x=1"},
                      {"target": None}, {"target": 1}, {"target": GOOD.encode()}, {"target": "http://\ud800/"},
                      {"many": [GOOD, INSIDE]}):
            with self.assertRaises(pydantic.ValidationError, msg=wrong):
                Hook(**wrong)
        with self.assertRaises(pydantic.ValidationError) as caught:
            Hook(target=INSIDE)
        self.assertIn("not-allowed", str(caught.exception))
        self.assertNotIn("addr", str(caught.exception))
        schema = getattr(Hook, "model_json_schema", Hook.schema)()  # pydantic 2, or 1
        self.assertEqual(schema["properties"]["target"]["format"], "uri")

        class Link(pydantic.BaseModel):
            target: url("public", repair=True)

        self.assertEqual(Link(target="https://example.com?x=1").target, "https://example.com/?x=1")
        self.assertRaises(pydantic.ValidationError, Link, target=INSIDE)
        self.assertIs(url("public").policy, urivet.PUBLIC)
        for wrong, error in (("pubic", ValueError), (7, TypeError)):
            self.assertRaises(error, url, wrong)
