import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { everyMemberQuery } from '../../api/members.ts'
import { useScope } from '../../shell/scope-context.ts'
import { TextArea } from '../../ui/form/field.tsx'
import { SuggestionList } from '../../ui/form/suggestion-list.tsx'
import { completeMention, mentionAt } from './mention-at.ts'

type CommentFieldProps = {
  label: string
  value: string
  onValue: (value: string) => void
  /** With ctrl or ⌘ and enter. */
  onSend: () => void
}

const offeredAtMost = 8

/** A text with suggestions of members after `@`. */
export function CommentField({ label, value, onValue, onSend }: CommentFieldProps) {
  const { project } = useScope()
  const members = useQuery(everyMemberQuery(project))
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const [caret, setCaret] = useState<number>()
  const [at, setAt] = useState(0)
  const placedCaret = useRef<number>(undefined)
  const mention = caret === undefined ? undefined : mentionAt(value, caret)
  const typed = mention?.typed.toLowerCase() ?? ''
  const offered =
    mention === undefined
      ? []
      : (members.data ?? [])
          .filter(({ user }) => `${user.name} ${user.email}`.toLowerCase().includes(typed))
          .slice(0, offeredAtMost)
          .map(({ user }) => ({ value: user.email, note: user.name, name: user.name }))
  const isOpen = offered.length > 0

  useLayoutEffect(() => {
    if (placedCaret.current === undefined) return
    field.current?.setSelectionRange(placedCaret.current, placedCaret.current)
    placedCaret.current = undefined
  })

  function take({ name }: { name: string }) {
    if (mention === undefined) return
    const completed = completeMention(value, mention, name)
    placedCaret.current = completed.caret
    setCaret(undefined)
    onValue(completed.text)
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = offered[at]
    if (isOpen && step) {
      event.preventDefault()
      setAt((at + step + offered.length) % offered.length)
    } else if (isOpen && chosen && (event.key === 'Enter' || event.key === 'Tab') && !event.ctrlKey) {
      event.preventDefault()
      take(chosen)
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setCaret(undefined)
    } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSend()
  }

  return (
    <div className="min-w-0">
      <TextArea
        ref={field}
        label={label}
        hint="Markdown. @ mentions a member."
        rows={3}
        maxLength={limits.commentLength}
        value={value}
        aria-controls={isOpen ? `${id}-members` : undefined}
        aria-activedescendant={isOpen ? `${id}-members-${at}` : undefined}
        onChange={(event) => {
          onValue(event.currentTarget.value)
          setCaret(event.currentTarget.selectionStart)
          setAt(0)
        }}
        onBlur={() => setCaret(undefined)}
        onKeyDown={onKeyDown}
      />
      <SuggestionList
        id={`${id}-members`}
        label="Members"
        below={field}
        suggestions={offered}
        at={at}
        onAt={setAt}
        onTake={take}
        code={false}
      />
    </div>
  )
}
