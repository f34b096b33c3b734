import { useLocation, useNavigate } from '@tanstack/react-router'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { type Moment, momentAt, nextTrouble } from './moments.ts'
import { printPlayhead, readPlayhead } from './playhead.ts'

export interface ChosenMoment {
  readonly moment: Moment | undefined
  readonly choose: (moment: Moment) => void
  /** To what happened last at an instant of the session. */
  readonly seek: (at: number) => void
  readonly trouble: { next: (() => void) | undefined; before: (() => void) | undefined }
}

/** The moment that the address names, and the keys that walk from there. `listed` is what `j` and `k` walk through. */
export function useMoment(moments: readonly Moment[], listed: readonly Moment[]): ChosenMoment {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const index = readPlayhead(hash, moments)
  const moment = index === undefined ? undefined : moments[index]

  const go = (to: number | undefined) => {
    if (to === undefined || moments[to] === undefined) return
    // Walking through a session is no step that Back undoes one by one.
    void navigate({
      to: '.',
      search: true,
      hash: printPlayhead(moments, to),
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  }
  const choose = (wanted: Moment) => go(moments.indexOf(wanted))
  const walk = (step: 1 | -1) => {
    const at = moment === undefined ? -1 : listed.indexOf(moment)
    const place =
      moment !== undefined && at < 0
        ? momentAt(listed, moment.at) + (step === 1 ? 1 : 0)
        : Math.max(0, at + step)
    const next = listed[Math.min(place, listed.length - 1)]
    if (next) choose(next)
  }
  const troubleTo = (step: 1 | -1) => {
    const to = nextTrouble(moments, index ?? (step === 1 ? -1 : moments.length), step)
    return to === undefined ? undefined : () => go(to)
  }
  const trouble = { next: troubleTo(1), before: troubleTo(-1) }

  useShortcut({ keys: 'j', label: 'Next event', run: () => walk(1) })
  useShortcut({ keys: 'k', label: 'Event before', run: () => walk(-1) })
  useShortcut({ keys: 'ArrowDown', label: 'Next event', run: () => walk(1) })
  useShortcut({ keys: 'ArrowUp', label: 'Event before', run: () => walk(-1) })
  useShortcut({ keys: 'n', label: 'Next trouble', run: () => trouble.next?.() })
  useShortcut({ keys: 'N', label: 'Trouble before', run: () => trouble.before?.() })

  return { moment, choose, seek: (at) => go(Math.max(0, momentAt(moments, at))), trouble }
}
