import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TimeZone } from '../ui/text/time.tsx'
import type { Section } from './route-facts.ts'
import { useMaybeScope } from './scope-context.ts'
import { Screen } from './screen.tsx'
import { type SectionTarget, useSections } from './sections.ts'
import { useTimeZone } from './time-display.ts'

const names = { settings: 'Settings', account: 'Account', admin: 'Installation' }

type SectionScreenProps = {
  of: Section['of']
  title: string
  heading?: ReactNode
  /** Between the section name and the title. */
  crumbs?: ReactNode
  /** What the screen is for, in a sentence or two. */
  lead?: ReactNode
  actions?: ReactNode
  /** The parts of the scope that apply here. Default: none. */
  scope?: 'environment' | 'environment-and-time' | 'none'
  children: ReactNode
}

/** A screen of a section, with the list of the section's other screens beside it. */
export function SectionScreen(props: SectionScreenProps) {
  const { of, title, heading, crumbs, lead, actions, scope = 'none', children } = props
  const timeZone = useTimeZone(useMaybeScope()?.environment.timeZone)
  return (
    <TimeZone value={timeZone}>
      <Screen
        title={title}
        heading={heading}
        scope={scope}
        actions={actions}
        crumbs={
          <>
            <span className="shrink-0">{names[of]}</span>
            {crumbs}
          </>
        }
      >
        <div className="grid min-w-0 gap-16 full:grid-cols-[176px_minmax(0,1fr)] full:gap-24">
          <SectionList of={of} />
          <div className="grid min-w-0 content-start gap-16">
            {lead && <p className="max-w-read text-pretty text-text-2">{lead}</p>}
            {children}
          </div>
        </div>
      </Screen>
    </TimeZone>
  )
}

function SectionList({ of }: { of: Section['of'] }) {
  const sections = useSections(of)
  return (
    <nav aria-label={names[of]} className="flex flex-wrap gap-4 full:grid full:content-start full:gap-1">
      {sections.map((section, index) => (
        <div key={section.to} className="contents">
          {section.group && section.group !== sections[index - 1]?.group && (
            <span className={`px-8 pb-4 text-11 text-text-3 max-full:hidden ${index > 0 ? 'pt-12' : ''}`}>
              {section.group}
            </span>
          )}
          <SectionLink section={section} />
        </div>
      ))}
    </nav>
  )
}

function SectionLink({ section }: { section: SectionTarget }) {
  const { project = '' } = useParams({ strict: false })
  return (
    <Link
      to={section.to}
      params={{ project }}
      activeOptions={{ exact: section.to.endsWith('/'), includeSearch: false }}
      className="flex h-ctl shrink-0 items-center whitespace-nowrap rounded-control px-8 text-text-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-text"
    >
      {section.label}
    </Link>
  )
}
