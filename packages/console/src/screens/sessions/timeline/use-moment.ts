import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Moment } from './moments.ts'
import { printPlayhead, readPlayhead } from './playhead.ts'
import { standAt } from './playhead-place.ts'
import { type ChosenMoment, useMomentWalk } from './use-moment-walk.ts'

/** The moment that the address names, and the ways from there: the playhead of a session that was not recorded. */
export function useMoment(moments: readonly Moment[], listed: readonly Moment[]): ChosenMoment {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const index = readPlayhead(hash, moments)
  const moment = index === undefined ? undefined : moments[index]
  const playhead = useMemo(() => standAt(moment), [moment])

  const go = (to: number) => {
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
  return { ...useMomentWalk({ moments, listed, index, go }), playhead }
}
