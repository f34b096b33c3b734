import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { IssueEvent } from '../../../api/issues.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { CodeBox } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { uploadMapsLine } from '../../../ui/text/upload-maps-text.ts'
import { unmappedScripts } from './why-not-mapped.ts'

/**
 * Source maps missing for the stack, the reason, and how to upload those of this release. Open if no frame
 * could be mapped.
 */
export function MissingMaps({ event }: { event: IssueEvent }) {
  const { project } = useScope()
  const id = useId()
  const scripts = unmappedScripts(event.frames, event.version)
  if (scripts.length === 0) return null
  const isNothingMapped = event.frames.every(({ original }) => original === null)

  return (
    <details open={isNothingMapped} className="group border-line border-t">
      <summary className="flex min-h-row cursor-pointer list-none items-center gap-8 px-14 py-6 -outline-offset-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <Icon name="right" className="size-12 text-text-3 group-open:rotate-90" />
        <Icon name="warning" className="size-16 text-warn" />
        <span id={id} className="min-w-0 flex-1 font-medium">
          {isNothingMapped
            ? 'Minified stack trace: source maps are missing'
            : `Not mapped: ${scripts.length === 1 ? 'one script' : `${scripts.length} scripts`} in this stack trace`}
        </span>
      </summary>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12 px-14 pb-14">
        <ul aria-labelledby={id} className="grid gap-8">
          {scripts.map(({ file, frames, why }) => (
            <li key={file} className="grid min-w-0">
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-8">
                <code className="min-w-0 truncate" title={file}>
                  {file}
                </code>
                <span className="text-12 text-text-3">{frames === 1 ? '1 frame' : `${frames} frames`}</span>
              </span>
              <span className="text-pretty text-text-2 [overflow-wrap:anywhere]">{why}</span>
            </li>
          ))}
        </ul>
        <div className="grid min-w-0 gap-8">
          <p className="text-pretty text-text-2">
            Upload the source maps of this version. They also apply to this error. Or{' '}
            <Link
              to="/p/$project/settings/source-maps"
              params={{ project }}
              search={{ upload: true }}
              className="text-accent underline underline-offset-2"
            >
              upload the files
            </Link>
            .
          </p>
          <CodeBox
            label="Upload command for the source maps of this version"
            code={uploadMapsLine({ url: window.location.origin, project, version: event.version })}
          />
        </div>
      </div>
    </details>
  )
}
