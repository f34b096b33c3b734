import { useShortcut } from '../../../ui/keyboard.tsx'
import { type Moment, momentAt, nextTrouble } from './moments.ts'
import type { Playhead } from './playhead-place.ts'

export interface ChosenMoment {
  readonly moment: Moment | undefined
  readonly playhead: Playhead
  readonly choose: (moment: Moment) => void
  /** To an instant of the session; without a recording, to the last event before it. */
  readonly seek: (at: number) => void
  readonly trouble: { next: (() => void) | undefined; before: (() => void) | undefined; left: number }
}

interface Walk {
  moments: readonly Moment[]
  /** The targets of `j` and `k`. */
  listed: readonly Moment[]
  /** The current position. */
  index: number | undefined
  go: (to: number) => void
}

/** Navigation between moments, with its shortcuts. */
export function useMomentWalk({ moments, listed, index, go }: Walk): Omit<ChosenMoment, 'playhead'> {
  const moment = index === undefined ? undefined : moments[index]
  const choose = (wanted: Moment) => {
    const to = moments.indexOf(wanted)
    if (to >= 0) go(to)
  }
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
  const trouble = {
    next: troubleTo(1),
    before: troubleTo(-1),
    left: moments.slice((index ?? -1) + 1).filter(({ isTrouble }) => isTrouble).length,
  }

  useShortcut({ keys: 'j', label: 'Next event', run: () => walk(1) })
  useShortcut({ keys: 'k', label: 'Previous event', run: () => walk(-1) })
  useShortcut({ keys: 'ArrowDown', label: 'Next event', run: () => walk(1) })
  useShortcut({ keys: 'ArrowUp', label: 'Previous event', run: () => walk(-1) })
  useShortcut({ keys: 'n', label: 'Next issue', run: () => trouble.next?.() })
  useShortcut({ keys: 'N', label: 'Previous issue', run: () => trouble.before?.() })

  return { moment, choose, seek: (at) => go(Math.max(0, momentAt(moments, at))), trouble }
}
