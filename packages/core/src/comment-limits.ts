export const commentLimits = {
  commentLength: { value: 5_000, unit: 'characters', reason: 'A page of text, not an attachment.' },
  commentsPerSubject: {
    value: 1_000,
    unit: 'items',
    reason: 'Comments on one flag, rollout, error or session: a discussion, not a log.',
  },
  mentionsPerComment: {
    value: 20,
    unit: 'items',
    reason: 'Members that one comment notifies: more are a group, which a channel reaches.',
  },
  inboxItems: {
    value: 100,
    unit: 'items',
    reason: 'Of each kind in the inbox: the lists of each kind show the rest.',
  },
} as const
