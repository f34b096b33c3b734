// Links that open the toolbar of the browser client on a page. Nothing is stored: the link is signed with a secret of the
// environment, and expires.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Instant, Key, Strict } from './parameters.ts'

/** The parameter of a page's address that holds the token. */
export const toolbarParameter = 'telltale-toolbar'

export const createToolbarLink = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/toolbar-links',
  summary:
    'Make a link that opens the toolbar of the browser client on a page, for anyone who has it, until it expires.',
  permission: 'project.view',
  body: Strict({
    page: Type.String({
      maxLength: limits.toolbarPageLength,
      pattern: '^https?://',
      description: 'The address of a page that uses a client key of the environment.',
    }),
    /** The holder of the link gets the value of this variation, and of no other. */
    force: Type.Optional(Strict({ flag: Key, variation: Key })),
  }),
  reply: Type.Object({
    url: Type.String({ description: 'The page with the signed parameter `telltale-toolbar`.' }),
    expiresAt: Instant,
  }),
})

export const toolbarCalls = { createToolbarLink }
