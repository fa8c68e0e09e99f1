"""Compares logs with what strace saw of the same job, run bare.

truth.py ways TABLE    each way of the table (`ways list`): runs/WAY
truth.py programs      each directory of runs/

runs/NAME has trace.PID (strace -ff -y -s 0) and POLICY.log, and `top`, the directory whose files
count. Prints a PASS or FAIL line for each name and policy.
"""
import collections
import glob
import os
import re
import sys

# Each call's descriptors: the place among the arguments, and 0 where it reads, 1 where it writes.
CALLS = {
    'read': [(0, 0)], 'pread64': [(0, 0)], 'readv': [(0, 0)], 'preadv': [(0, 0)],
    'preadv2': [(0, 0)], 'write': [(0, 1)], 'pwrite64': [(0, 1)], 'writev': [(0, 1)],
    'pwritev': [(0, 1)], 'pwritev2': [(0, 1)], 'copy_file_range': [(0, 0), (2, 1)],
    'sendfile': [(0, 1), (1, 0)], 'splice': [(0, 0), (2, 1)],
}
# Names that programs make up: the same file has another in every run.
MADE_UP = re.compile(r'(/\.[^/]*\.|/sed|/sort|/tmp_[a-z]+_|/incoming-)[A-Za-z0-9]{6}$')


def add(moved, top, path, direction, n):
    if path.startswith(top + '/'):
        moved[MADE_UP.sub(r'\1XXXXXX', path[len(top):])][direction] += n


def traced(directory, top):
    """Bytes read and written of each file, as the kernel returned them."""
    moved = collections.defaultdict(lambda: [0, 0])
    for name in glob.glob(directory + '/trace.*'):
        with open(name, encoding='latin-1') as trace:
            for line in trace:
                call = re.match(r'(\w+)\((.*)\) += (\d+)', line)
                if not call or call.group(1) not in CALLS:
                    continue
                arguments = call.group(2).split(', ')
                for place, direction in CALLS[call.group(1)]:
                    path = re.match(r'\d+<(/[^>]*)>', arguments[place])
                    if path:
                        add(moved, top, path.group(1), direction, int(call.group(3)))
    return {path: figures for path, figures in moved.items() if figures != [0, 0]}


def records(log, kind):
    with open(log, encoding='utf-8') as lines:
        for line in lines:
            record = dict(word.split('=', 1) for word in line.split())
            if record['type'] == kind:
                yield record


def logged(log, top):
    moved = collections.defaultdict(lambda: [0, 0])
    for record in records(log, 'file'):
        path = re.sub('%([0-9A-F]{2})', lambda m: chr(int(m.group(1), 16)), record['path'])
        add(moved, top, path, 0, int(record['read']))
        add(moved, top, path, 1, int(record['written']))
    return {path: figures for path, figures in moved.items() if figures != [0, 0]}


def totals(log):
    """What is wrong with the records of processes, which are the sums of their files'."""
    files = collections.defaultdict(list)
    for record in records(log, 'file'):
        files[record['pid'], record['prog']].append(record)
    for process in records(log, 'process'):
        own = files[process['pid'], process['prog']]
        if int(process['files']) != len(own):
            yield f"{process['prog']} has {process['files']} files and {len(own)} records"
        for key in ('read', 'written', 'direct', 'bounced', 'dropped'):
            if int(process[key]) != sum(int(record[key]) for record in own):
                yield f"{process['prog']}: {key}={process[key]} is not the sum of its files'"


def say(name, problems):
    problems = list(problems)
    print(f'FAIL logtruth/{name}: ' + '; '.join(problems)[:500] if problems
          else f'PASS logtruth/{name}', flush=True)


def logs(directory):
    return sorted(glob.glob(directory + '/*.log'))


def top_of(directory):
    with open(directory + '/top', encoding='utf-8') as top:
        return top.read().strip()


def programs():
    for directory in sorted(glob.glob('runs/*')):
        top, name = top_of(directory), os.path.basename(directory)
        seen = traced(directory, top)
        if not seen or not logs(directory):
            say(name, ['nothing was seen'])
        for log in logs(directory):
            said = logged(log, top)
            problems = [f'{path} logged {said.get(path)}, moved {seen.get(path)}'
                        for path in sorted(said.keys() | seen.keys())
                        if said.get(path) != seen.get(path)]
            say(name + '/' + os.path.basename(log)[:-4], problems + list(totals(log)))


def differences(log, top, seen, row):
    """Of the bytes and records of src and dst; `row` as in ways.def."""
    said = logged(log, top)
    for path, column, direction in (('src', 0, 0), ('dst', 1, 1)):
        expected, unseen = row[column], row[column + 4]
        there = said.get('/' + path, [0, 0])
        if there[direction] != expected or there[1 - direction]:
            yield f'{path} logged {there}, expected {expected}'
        if seen.get('/' + path, [0, 0])[direction] != expected + unseen:
            yield f'{path} moved {seen.get("/" + path)}, expected {expected} + {unseen}'
        n = sum(1 for record in records(log, 'file') if record['path'] == top + '/' + path)
        if n != row[column + 2]:
            yield f'{n} records of {path}, expected {row[column + 2]}'


def ways(table):
    with open(table, encoding='utf-8') as rows:
        for row in rows:
            name, *row = row.split()
            directory = 'runs/' + name
            top = top_of(directory)
            seen = traced(directory, top)
            for log in logs(directory):
                say(name + '/' + os.path.basename(log)[:-4],
                    differences(log, top, seen, [int(n) for n in row]))


globals()[sys.argv[1]](*sys.argv[2:])
