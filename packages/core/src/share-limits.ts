export const shareLimits = {
  shareLinks: {
    value: 500,
    unit: 'items',
    reason:
      'Share links of a project that work at the same time. More is a public page, not a link for a few.',
  },
  shareLinkDays: {
    value: 90,
    unit: 'days',
    reason: 'The longest lifetime of a share link, which may be found much later.',
  },
  playlists: { value: 200, unit: 'items', reason: 'Of an environment: a menu, not an archive.' },
  playlistSessions: {
    value: 200,
    unit: 'items',
    reason: 'Sessions of a playlist: more than anyone watches in a row, and one query shows them all.',
  },
} as const
