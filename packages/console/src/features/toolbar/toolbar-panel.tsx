import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Environment } from '../../api/environments.ts'
import { toProblem } from '../../api/problem.ts'
import { createToolbarLink } from '../../api/toolbar.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { DocsLink } from '../../ui/docs-link.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/text/time.tsx'

type ToolbarPanelProps = {
  project: string
  environment: Pick<Environment, 'key' | 'name' | 'allowedOrigins'>
  /** From the bookmark, which passes the address of its page. */
  page?: string | undefined
  /** The flag whose variations a link may force. */
  flag?: { key: string; variations: readonly { key: string }[] }
}

/** Makes links that open the toolbar of the browser client on a page. */
export function ToolbarPanel({ project, environment, page: given, flag }: ToolbarPanelProps) {
  const origin = environment.allowedOrigins.find((one) => !one.includes('*'))
  const [page, setPage] = useState(given ?? (origin ? `${origin}/` : ''))
  const [variation, setVariation] = useState('')
  const creation = useMutation({ mutationFn: createToolbarLink })
  const problem = creation.error && toProblem(creation.error)
  const fault = problem?.errors.find(({ pointer }) => pointer === '/page')?.message
  const force = flag && variation ? { force: { flag: flag.key, variation } } : {}
  const isCurrent = creation.data !== undefined

  return (
    <div id="toolbar">
      <Panel title="Toolbar">
        <form
          className="grid grid-cols-[minmax(0,1fr)] gap-12"
          onSubmit={(event) => {
            event.preventDefault()
            creation.mutate({ project, env: environment.key, draft: { page, ...force } })
          }}
        >
          <p className="max-w-read text-pretty text-text-2">
            Opens on a page that uses a client key of {environment.name}: shows its flags, events and masking,
            forces variations in one tab, and reports problems. Forced variations are excluded from
            statistics. <DocsLink page="guides/toolbar">Toolbar</DocsLink>
          </p>
          <div className="flex flex-wrap items-start gap-12 [&>:first-child]:flex-1 [&>:first-child]:basis-240">
            <Field
              label="Page"
              type="url"
              required
              placeholder="https://shop.example/cart"
              value={page}
              fault={fault}
              onChange={({ currentTarget }) => {
                setPage(currentTarget.value)
                creation.reset()
              }}
            />
            {flag && (
              <Select
                label="Force variation"
                options={[
                  { value: '', label: 'None' },
                  ...flag.variations.map(({ key }) => ({ value: key, label: key })),
                ]}
                value={variation}
                onValue={(next) => {
                  setVariation(next)
                  creation.reset()
                }}
              />
            )}
          </div>
          {!fault && <ProblemNotice problem={problem} />}
          {isCurrent ? (
            <div className="flex min-w-0 flex-wrap items-center gap-12">
              <a
                href={creation.data.url}
                target="_blank"
                rel="noopener noreferrer"
                className={buttonClass('primary')}
              >
                Open page
              </a>
              <CopyText text={creation.data.url} label="Copy the link" />
              <span className="text-12 text-text-3">
                Works for anyone with the link, until <Time at={creation.data.expiresAt} />
              </span>
            </div>
          ) : (
            <div className="flex flex-wrap items-center gap-12">
              <Button type="submit" look="primary" busy={creation.isPending}>
                Create link
              </Button>
              {!flag && <Bookmark project={project} env={environment.key} />}
            </div>
          )}
        </form>
      </Panel>
    </div>
  )
}

/** Leads from any page to this panel, with the address of the page. */
function Bookmark({ project, env }: { project: string; env: string }) {
  const place = `${window.location.origin}/p/${project}/settings/environments/${env}`
  const code = `javascript:location.href='${place}?page='+encodeURIComponent(location.href)+'#toolbar'`

  return (
    <a
      href="#toolbar"
      // React refuses such an address, and the content policy keeps it from running here: it is for the bookmarks bar.
      ref={(link) => link?.setAttribute('href', code)}
      className={buttonClass()}
      title="Drag to the bookmarks bar. On a page, it leads here with the address of the page."
    >
      Telltale toolbar (drag to bookmarks)
    </a>
  )
}
