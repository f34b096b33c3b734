import { expect, test } from 'vitest'
import { scanStatement } from './scan-statement.ts'

test.each([
  'SELECT 1; SELECT 2',
  'SELECT 1;;DROP TABLE t',
  'SELECT 1 /* ; */; -- ;\n DROP TABLE t',
  "SELECT 'a\\'; DROP TABLE t",
  'SELECT 1 # comment\n',
  'SELECT $$a$$; DROP TABLE t',
  'SELECT ‘a‘; DROP TABLE t',
  "SELECT 1 // it's\n; DROP TABLE t",
  'SELECT 1 /* /* */ ',
  'SELECT 1\0',
])('what could be two statements is refused: %j', (text) => {
  expect(() => scanStatement(text)).toThrow(/Multi-statements|Unrecognized token/)
})

test.each([
  "SELECT ';', \"a;b\", `c;d`, 'it''s; \\'' FROM t;",
  'SELECT 1 -- one; or two\n',
  'SELECT /* ; */ 1 ;  \n',
])('a semicolon inside a text, a name or a comment, or at the end, is none: %j', (text) => {
  expect(scanStatement(text).kind).toBe('read')
})

test('a read becomes read-only in its outermost settings', () => {
  const textOf = (text: string) => scanStatement(text).text
  expect(textOf('SELECT 1')).toBe('SELECT 1\nSETTINGS readonly=1')
  expect(textOf('SELECT 1 FORMAT JSON')).toBe('SELECT 1 FORMAT JSON\nSETTINGS readonly=1')
  expect(textOf('SELECT 1 SETTINGS a=1 FORMAT JSON')).toBe('SELECT 1 SETTINGS readonly=1, a=1 FORMAT JSON')
  expect(textOf('SELECT 1 SETTINGS readonly = 1, a=1')).toBe('SELECT 1 SETTINGS readonly = 1, a=1')
})

test.each([
  'SELECT 1 SETTINGS readonly=0',
  'SELECT 1 SETTINGS readonly=1, readonly=0',
  'SELECT * FROM (SELECT 1 SETTINGS readonly=0) SETTINGS readonly=1',
  'SELECT * FROM (SELECT 1 SETTINGS `readonly`=0)',
])('a read cannot take that back: %s', (text) => {
  expect(() => scanStatement(text)).toThrow('readonly')
})

test.each([
  ['SET max_threads=1', 'settings go in the statement'],
  ['USE telltale', 'settings go in the statement'],
  ["SELECT 1 INTO OUTFILE '/tmp/a'", 'OUTFILE'],
  ['SELECT 1 FORMAT RowBinary', 'text formats'],
  ['INSERT INTO t FORMAT Native', 'text formats'],
  ["INSERT INTO t SELECT * FROM input('a UInt8') FORMAT JSONEachRow", 'writes nothing'],
  ['INSERT INTO t SETTINGS insert_deduplicate=1 FORMAT JSONEachRow', 'no effect'],
])('a known trap is refused: %s', (text, reason) => {
  expect(() => scanStatement(text)).toThrow(reason)
})

test('a column may be called format, and parameters are found where they count', () => {
  expect(scanStatement('SELECT enc AS format FROM t').kind).toBe('read')
  expect(
    scanStatement("SELECT {a:UInt8}, '{b:String}', {c : Array(String)} /* {d:Int} */").parameters,
  ).toEqual(['a', 'c'])
})
