import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { topPagesQuery } from '../../api/pages.ts'
import { type Question, questionBefore } from '../../api/question.ts'
import { findMovedPages } from './moved-pages.ts'

/** Pages that few people see are not looked at. */
const pagesCompared = 100

/** The pages of now beside those of as long before. */
export function useMovedPages(question: Question) {
  const now = useQuery(topPagesQuery(question, pagesCompared))
  const before = useQuery(topPagesQuery(questionBefore(question), pagesCompared))
  const moved = useMemo(
    () => now.data && before.data && findMovedPages(now.data, before.data),
    [now.data, before.data],
  )
  return { now, before, moved }
}
