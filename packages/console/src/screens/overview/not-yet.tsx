import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { Environment } from '../../api/environments.ts'
import { CopyText } from '../../ui/copy.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'

type NotYetProps = {
  project: string
  environment: Environment
  clientKey: string | undefined
  usedAt: string | undefined
}

/** Installing the snippet and opening the page takes about this long. */
const helpAfter = 30_000

/** Reasons why no data arrives, in the order to check them. */
export function NotYet({ project, environment, clientKey, usedAt }: NotYetProps) {
  const { origin, protocol } = window.location
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOpen(true), helpAfter)
    return () => clearTimeout(timer)
  }, [])
  const settings = (words: string) => (
    <Link
      to="/p/$project/settings/environments/$environment"
      params={{ project, environment: environment.key }}
      className="text-accent underline underline-offset-2"
    >
      {words}
    </Link>
  )
  return (
    <details
      className="group text-text-2"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="w-fit cursor-pointer rounded-control py-4 font-medium text-text">
        No data yet? Checklist
      </summary>
      <dl className="grid max-w-read grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 pt-8 wide:grid-cols-[12ch_minmax(0,1fr)]">
        <Check name="Key">
          {clientKey === undefined ? (
            'This environment has no client key.'
          ) : (
            <>
              Your page must use the one that starts with <code>{clientKey.slice(0, 16)}</code>.{' '}
              {usedAt === undefined ? (
                'No key of this environment has been used yet.'
              ) : (
                <>
                  Last use of a key: <TimeAgo at={usedAt} />.
                </>
              )}{' '}
              {settings('Open keys')}
            </>
          )}
        </Check>
        <Check name="Origin">
          {environment.allowedOrigins.length === 0 ? (
            'All origins are allowed.'
          ) : (
            <>
              Only <Origins of={environment.allowedOrigins} /> allowed.{' '}
              {settings('Change the allowed origins')}
            </>
          )}
        </Check>
        <Check name="Content policy">
          A page that sends <code>Content-Security-Policy</code> must allow this server:
          <CopyText text={`script-src ${origin}; connect-src ${origin}`} label="Copy the directives" />
        </Check>
        {protocol === 'http:' && (
          <Check name="Plain http">
            A page on HTTPS cannot send requests to plain HTTP, except on the same machine.
          </Check>
        )}
        <Check name="Ad blocker">
          Some ad blockers block monitoring by URL. Try a window without extensions. To avoid it for all
          users, serve Telltale from a subdomain of your site.
        </Check>
      </dl>
    </details>
  )
}

function Check({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 wide:contents">
      <dt className="font-medium text-text">{name}</dt>
      <dd className="min-w-0 text-pretty max-wide:pb-4">{children}</dd>
    </div>
  )
}

const shownOrigins = 3

function Origins({ of }: { of: readonly string[] }) {
  const more = of.length - shownOrigins
  return (
    <>
      <code className="whitespace-normal [overflow-wrap:anywhere]">
        {of.slice(0, shownOrigins).join(', ')}
      </code>
      {more > 0 && ` and ${more} more`}
    </>
  )
}
