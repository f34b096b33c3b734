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
} as const
