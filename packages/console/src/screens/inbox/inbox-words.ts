import type { InboxItem, InboxKind } from '../../api/inbox.ts'
import { stateWords } from '../../features/rollout/rollout-words.ts'

export const kindTitles: Record<InboxKind, string> = {
  alert: 'Firing alerts',
  rollout: 'Rollouts on hold',
  'change-request': 'Change requests',
  mention: 'Mentions',
  'scheduled-change': 'Scheduled changes',
}

/** In the order of the screen. */
export const inboxKinds = [
  'alert',
  'rollout',
  'change-request',
  'mention',
  'scheduled-change',
] as const satisfies readonly InboxKind[]

export function titleOfItem(item: InboxItem): string {
  return item.kind === 'alert' || item.kind === 'mention' ? item.name : item.flag
}

const requestTexts: Partial<Record<string, string>> = {
  open: 'waits for approval',
  approved: 'is approved and waits to be applied',
  conflicted: 'is in conflict: rebase or withdraw it',
}

/** What waits, in a few words. */
export function noteOfItem(item: InboxItem): string {
  switch (item.kind) {
    case 'alert':
      return 'is firing'
    case 'rollout':
      return stateWords[item.state]
    case 'change-request': {
      const by = item.isMine ? 'your request' : `request of ${item.author}`
      return `${by} ${requestTexts[item.state] ?? item.state}`
    }
    case 'scheduled-change':
      return item.state === 'failed'
        ? `change of ${item.author} failed`
        : `change of ${item.author} is scheduled`
    case 'mention':
      return `${item.author}: ${item.text}`
  }
}
