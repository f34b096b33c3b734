import { Button } from '../../ui/button.tsx'
import { CodeBox } from '../../ui/copy.tsx'
import { DocsLink } from '../../ui/docs-link.tsx'
import { Empty } from '../../ui/states.tsx'

type NoTracesProps = {
  /** What is missing: `traces`. */
  of: 'services' | 'traces' | 'log records'
  /** Set if a filter applies. */
  onClear?: (() => void) | undefined
}

/** Why nothing is shown: the filter, the time range, or no service is connected, with what it takes to connect one. */
export function NoTraces({ of, onClear }: NoTracesProps) {
  if (onClear) {
    return (
      <Empty title={`No ${of} match the filter`} action={<Button onClick={onClear}>Clear the filter</Button>}>
        No matches in this time range. Try a longer one.
      </Empty>
    )
  }
  return (
    <>
      <Empty title={`No ${of} in this time range`}>
        Choose a longer time range, or send the first {of === 'log records' ? 'log record' : 'trace'} with any
        client of OpenTelemetry.
      </Empty>
      <div className="mx-auto grid w-full max-w-review gap-12 px-14 pb-20">
        <CodeBox label="Settings of your service" code={settingsOf(window.location.origin)} />
        <p className="max-w-read text-pretty text-12 text-text-3">
          Use a server key of this environment. The guide has examples for Node.js, browsers, other languages
          and the OpenTelemetry Collector: <DocsLink page="guides/opentelemetry">OpenTelemetry</DocsLink>.
        </p>
      </div>
    </>
  )
}

const settingsOf = (url: string) => `OTEL_SERVICE_NAME=my-service
OTEL_EXPORTER_OTLP_ENDPOINT=${url}
OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer your-server-key"`
