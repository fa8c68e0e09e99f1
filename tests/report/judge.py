"""judge.py - says what is wrong with a report; silent where nothing is.

sums LOG.json REPORT.json    the figures are those that the log's records add up to
columns MOST TEXT            no line of the text is wider than MOST columns
page PAGE TEXT               well-formed, nothing from elsewhere, the rows of the text report
"""
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as tree

KINDS = {"program": "prog", "policy": "policy", "reason": "reason", "file": "path"}


def expect(what, wanted, seen):
    if wanted != seen:
        print(f"{what}: {wanted!r} wanted, {seen!r} seen")


def known(values):
    values = [v for v in values if v >= 0]
    return sum(values) if values else -1


def sums_of(kind, records):
    """What the report should say of a group's records, in the order of the log."""
    before = [r["cached_before"] for r in records]
    after = [r["cached_after"] for r in records]
    return {
        "records": len(records),
        "moved": sum(r["read"] + r["written"] for r in records),
        "dropped": sum(r["dropped"] for r in records),
        "cached_before": before[0] if kind == "file" else known(before),
        "cached_after": after[-1] if kind == "file" else known(after),
        "peak": max(r["peak"] for r in records),
    }


def sums(log, report):
    records = [json.loads(line) for line in open(log)]
    report = json.load(open(report))
    files = [r for r in records if r["type"] == "file"]
    for key in "read", "written", "direct", "bounced", "dropped":
        expect(key, sum(r[key] for r in files), report[key])
    expect("files", len({r["path"] for r in files}), report["files"])
    expect("processes", len(records) - len(files), report["processes"])
    for kind, key in KINDS.items():
        groups = {}
        for r in files:
            groups.setdefault(r[key], []).append(r)
        wanted = {name: sums_of(kind, group) for name, group in groups.items()}
        ranked = sorted(wanted, key=lambda name: -wanted[name]["moved"])
        shown = [row for row in report[kind] if row["name"] is not None]
        expect(kind, ranked[:len(shown)], [row["name"] for row in shown])
        for row in shown:
            for figure, value in wanted[row["name"]].items():
                expect(f"{kind} {row['name']} {figure}", value, row[figure])
        for figure in "records", "moved", "dropped":
            expect(f"{kind}, all {figure}", report[figure], sum(row[figure] for row in report[kind]))
        expect(f"{kind}, groups", len(wanted), len(shown) + sum(row.get("groups", 0) for row in report[kind]))


def columns(most, text):
    for line in open(text, encoding="utf-8"):
        line = line.rstrip("\n")
        wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        if wide > int(most):
            print(f"{wide} columns: {line}")


def text_rows(text):
    """The rows of the tables of a text report, by kind; the names cut as they are there."""
    kind, rows = None, {}
    for line in open(text):
        heading = re.match(r"(program|policy|reason|file|process)\b.* before ", line)
        if heading:
            kind = heading[1]
            rows[kind] = []
        elif not line.strip():
            kind = None
        elif kind and not line.startswith("  "):
            rows[kind].append(line.split())
    return rows


def fits(text, cells):
    """The words of a text row against the cells of a page's row."""
    name, figures = cells[0], " ".join(cells[1:]).split()
    n = len(figures)
    shown = " ".join(text[:len(text) - n])
    if text[len(text) - n:] != figures:
        return False
    return name.endswith(shown[3:]) if shown.startswith("...") else name == shown


def page(path, text):
    raw = open(path, encoding="utf-8").read()
    root = tree.fromstring(raw)
    if not raw.startswith("<!DOCTYPE html>"):
        print("no DOCTYPE")
    for node in root.iter():
        for key, value in node.attrib.items():
            if key in ("src", "href", "srcset", "action", "data", "xlink:href") and value != "data:,":
                print(f"{node.tag} {key}={value}")
            if key.startswith("on"):
                print(f"{node.tag} has {key}")
    for bad in re.findall(r"(?:https?:)?//\w+\.\w+|@import|url\(|&\w+;(?<!&amp;)(?<!&lt;)(?<!&gt;)(?<!&quot;)", raw):
        print(f"the page has {bad}")
    for kind, rows in text_rows(text).items():
        table = root.find(f".//table[@id='{kind}']")
        if table is None:
            print(f"no table of {kind}")
            continue
        seen = [["".join(c.itertext()).strip() for c in row]
                for part in ("tbody", "tfoot") for row in table.findall(f"{part}/tr")]
        expect(f"rows of {kind}", len(rows), len(seen))
        for row, cells in zip(rows, seen):
            if not fits(row, cells[:7]):
                print(f"{kind}: text {row}, page {cells}")


if __name__ == "__main__":
    {"sums": sums, "columns": columns, "page": page}[sys.argv[1]](*sys.argv[2:])
