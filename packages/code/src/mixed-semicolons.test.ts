// Files that mix both styles of semicolons: what is left must not continue the statement before it.

import { expect, test } from 'vitest'
import { lines } from './removal-examples.ts'
import { removeFromFiles } from './remove-from-files.ts'

const names = { wrappers: [], constants: {} }
const removal = { key: 'new-checkout', value: true, variation: undefined, otherVariations: [], names }

test.each([
  [
    'a file with both styles gets a semicolon where its line would continue the one before',
    lines(
      'one();',
      'two()',
      "flags.getBoolean('new-checkout', false) ? [3].map(three) : three();",
      'four();',
    ),
    lines('one();', 'two()', ';[3].map(three);', 'four();'),
  ],
  [
    'a file with both styles gets one where the next line would continue what is left',
    lines(
      'one()',
      'two()',
      "if (log() || flags.getBoolean('new-checkout', false)) {",
      '}',
      '[3].map(three);',
    ),
    lines('one()', 'two()', 'log();', '[3].map(three);'),
  ],
  [
    'a statement that kept two others apart leaves a semicolon',
    lines('one()', "if (!flags.getBoolean('new-checkout', false)) {", '  two();', '}', '[3].map(three);'),
    lines('one()', ';', '[3].map(three);'),
  ],
])('%s', (_name, before, after) => {
  const { changed } = removeFromFiles([{ path: 'file.ts', text: before }], removal)
  expect(changed[0]?.text).toBe(after)
})
