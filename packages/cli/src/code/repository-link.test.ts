import { expect, test } from 'vitest'
import { findLink } from './repository-link.ts'

const repository = 'acme/shop'

test.each([
  [undefined, 'git@github.com:acme/shop.git', 'https://github.com/acme/shop/blob/{commit}/{file}#L{line}'],
  [
    undefined,
    'https://bot:x@gitlab.com/acme/shop',
    'https://gitlab.com/acme/shop/-/blob/{commit}/{file}#L{line}',
  ],
  [
    undefined,
    'ssh://git@bitbucket.org/acme/shop',
    'https://bitbucket.org/acme/shop/src/{commit}/{file}#lines-{line}',
  ],
  [
    'gitlab',
    'git@code.acme.example:acme/shop.git',
    'https://code.acme.example/acme/shop/-/blob/{commit}/{file}#L{line}',
  ],
  ['github', undefined, 'https://github.com/acme/shop/blob/{commit}/{file}#L{line}'],
  ['https://c.example/{file}', undefined, 'https://c.example/{file}'],
  [undefined, 'git@code.acme.example:acme/shop.git', undefined],
])('link %s of %s', (given, remote, link) => {
  expect(findLink(given, { remote, repository })).toBe(link)
})

test('an unknown host is refused', () => {
  expect(() => findLink('sourcehut', { remote: undefined, repository })).toThrow('github, gitlab, bitbucket')
})
