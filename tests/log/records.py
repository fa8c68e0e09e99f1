"""Reads a log and says what is in it, after checking it against libnocache(7).

records.py check LOG            is every line a record, with its keys in order, of the right kinds?
records.py count LOG TYPE [KEY=VALUE...]   how many records of the type have these values
records.py show LOG KEY... [KEY=VALUE...]  these values of each file record that has those
records.py paths LOG DIRECTORY  the names of a directory's files are all there, as they are

A line that begins with `{` is JSON. Prints nothing (check, paths) where all is right.
"""
import json
import os
import re
import sys

FILE = ('v type time pid prog path fs mode policy asked reason size read written reads writes '
        'direct bounced cached_before cached_after dirty_after peak dropped secs').split()
PROCESS = ('v type time pid prog files read written direct bounced dropped cached_before '
           'cached_after swap_in swap_out secs').split()
WORDS = 'type time prog path fs mode policy asked reason'.split()
WHEN = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$')
POLICIES = 'auto direct dontneed dontcache noreuse dsync buffered observe off'.split()


def read(path):
    """Each line's pairs, in order, all values as text; and the line."""
    with open(path, 'rb') as log:
        for line in log.read().split(b'\n')[:-1]:
            text = line.decode('utf-8')
            if text.startswith('{'):
                pairs = json.loads(text, object_pairs_hook=list, parse_int=Number,
                                   parse_float=Number)
            else:
                pairs = [word.split('=', 1) for word in text.split(' ')]
            yield pairs, line


class Number(str):
    """A number as it was written."""


def complaints(pairs, line):
    record = dict(pairs)
    keys = PROCESS if record.get('type') == 'process' else FILE
    if [key for key, _ in pairs] != keys:
        yield 'keys'
        return
    if len(line) + 1 > 4096:
        yield 'too long'
    if re.search(rb'[\x00-\x1f\x7f]', line):
        yield 'control character'
    if not WHEN.match(record['time']):
        yield 'time ' + record['time']
    for key in keys:
        if line.startswith(b'{') and isinstance(record[key], Number) == (key in WORDS):
            yield key + ' is of the wrong kind'
        if key not in WORDS and not re.match(r'-?\d+(\.\d{6})?$', record[key]):
            yield key + ' ' + record[key]
    if record['type'] == 'file':
        if record['policy'] not in POLICIES or record['asked'] not in POLICIES:
            yield 'policy'
        if (record['policy'] == record['asked']) < (record['reason'] == '-'):
            yield 'no reason'
        if record['mode'] not in ('r', 'w', 'rw'):
            yield 'mode'


def check(path):
    n = 0
    for pairs, line in read(path):
        n += 1
        for complaint in complaints(pairs, line):
            print(complaint, line.decode()[:300])
    if not n:
        print('no record')
    with open(path, 'rb') as log:
        if not log.read().endswith(b'\n'):
            print('the last line does not end')


def wanted(path, words):
    for pairs, _ in read(path):
        record = dict(pairs)
        if all(record.get(key) == value for key, value in (word.split('=', 1) for word in words)):
            yield record


def count(path, kind, *words):
    print(sum(1 for _ in wanted(path, ('type=' + kind,) + words)))


def show(path, *words):
    keys = [word for word in words if '=' not in word]
    for record in wanted(path, ('type=file',) + tuple(w for w in words if '=' in w)):
        print(*(record[key] for key in keys))


def plain(text):
    return re.sub(rb'%([0-9A-F]{2})', lambda m: bytes([int(m.group(1), 16)]), text.encode())


def paths(path, directory):
    names = {os.path.join(os.fsencode(os.path.realpath(directory)), name)
             for name in os.listdir(os.fsencode(directory))}
    logged = {plain(record['path']) for record in wanted(path, ('type=file',))}
    for name in names - logged:
        print('not logged:', name)
    for record in wanted(path, ('type=file',)):
        if 'ü' in record['path'] or '%' not in record['path']:
            continue
        if any(byte in record['path'] for byte in '\n\x01\ufffd'):
            print('not escaped:', record['path'])


globals()[sys.argv[1]](*sys.argv[2:])
