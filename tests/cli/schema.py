# SPDX-License-Identifier: MIT
"""A validator for the part of JSON Schema (draft 7) that docs/json.schema.json uses."""

import re

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}
KNOWN = {
    "$schema", "$ref", "title", "description", "definitions", "type", "enum", "const", "minimum",
    "maximum", "minLength", "pattern", "required", "properties", "additionalProperties", "items",
    "dependencies", "oneOf", "allOf", "not", "if", "then", "else",
}


def same(a, b):
    return type(a) is type(b) and a == b


class Validator:
    def __init__(self, root):
        self.root = root

    def errors(self, value, schema=None, at="$"):
        """All complaints about value, as text."""
        schema = self.root if schema is None else schema
        unknown = set(schema) - KNOWN
        if unknown:
            raise ValueError(f"schema keywords that this validator lacks: {unknown}")
        if "$ref" in schema:
            schema = self.root["definitions"][schema["$ref"].rsplit("/", 1)[1]]
        found = list(self.scalar(value, schema, at))
        found += self.combined(value, schema, at)
        if isinstance(value, dict):
            found += self.members(value, schema, at)
        if isinstance(value, list) and "items" in schema:
            for i, item in enumerate(value):
                found += self.errors(item, schema["items"], f"{at}[{i}]")
        return found

    def scalar(self, value, schema, at):
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(TYPES[t](value) for t in types):
            yield f"{at}: {value!r} is not {types}"
        if "enum" in schema and not any(same(value, e) for e in schema["enum"]):
            yield f"{at}: {value!r} is none of {schema['enum']}"
        if "const" in schema and not same(value, schema["const"]):
            yield f"{at}: {value!r} is not {schema['const']!r}"
        if TYPES["number"](value):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                yield f"{at}: {value} is out of range"
        if isinstance(value, str):
            if len(value) < schema.get("minLength", 0):
                yield f"{at}: too short"
            if "pattern" in schema and not re.search(schema["pattern"], value):
                yield f"{at}: {value!r} does not match"

    def combined(self, value, schema, at):
        found = []
        if "oneOf" in schema:
            each = [self.errors(value, s, at) for s in schema["oneOf"]]
            if sum(not e for e in each) != 1:
                found.append(f"{at}: not exactly one of: {each}")
        for part in schema.get("allOf", []):
            found += self.errors(value, part, at)
        if "not" in schema and not self.errors(value, schema["not"], at):
            found.append(f"{at}: matches what it must not: {schema['not']}")
        if "if" in schema:
            branch = "else" if self.errors(value, schema["if"], at) else "then"
            found += self.errors(value, schema.get(branch, {}), at)
        return found

    def members(self, value, schema, at):
        found = [f"{at}: no {key}" for key in schema.get("required", []) if key not in value]
        for key, needs in schema.get("dependencies", {}).items():
            if key in value:
                found += [f"{at}: {key} without {n}" for n in needs if n not in value]
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", {})
        for key, member in value.items():
            if key in known:
                found += self.errors(member, known[key], f"{at}.{key}")
            elif others is False:
                found.append(f"{at}: unexpected {key}")
            elif others is not True:
                found += self.errors(member, others, f"{at}.{key}")
        return found
