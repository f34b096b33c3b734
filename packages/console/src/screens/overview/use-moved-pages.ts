import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { topPagesQuery } from '../../api/pages.ts'
import { type Question, questionBefore } from '../../api/question.ts'
import { findMovedPages } from './moved-pages.ts'

/** Pages with few views are skipped. */
const pagesCompared = 100

/** Pages of the period with those of the previous period. */
export function useMovedPages(question: Question) {
  const now = useQuery(topPagesQuery(question, pagesCompared))
  const before = useQuery(topPagesQuery(questionBefore(question), pagesCompared))
  const moved = useMemo(
    () => now.data && before.data && findMovedPages(now.data, before.data),
    [now.data, before.data],
  )
  return { now, before, moved }
}
