// A service as teams have it: Fastify and PostgreSQL, with OpenTelemetry's own packages, configured by its environment
// variables. Prints what exporters in memory saw. Run as a process, because instrumentations hook into `require`.

const { NodeSDK } = require('@opentelemetry/sdk-node')
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-proto')
const { OTLPLogExporter } = require('@opentelemetry/exporter-logs-otlp-http')
const trace = require('@opentelemetry/sdk-trace-base')
const logs = require('@opentelemetry/sdk-logs')
const { SeverityNumber, logs: logsApi } = require('@opentelemetry/api-logs')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { FastifyInstrumentation } = require('@opentelemetry/instrumentation-fastify')
const { PgInstrumentation } = require('@opentelemetry/instrumentation-pg')
const api = require('@opentelemetry/api')

const seenSpans = new trace.InMemorySpanExporter()
const seenLogs = new logs.InMemoryLogRecordExporter()
const sdk = new NodeSDK({
  spanProcessors: [
    new trace.BatchSpanProcessor(new OTLPTraceExporter()),
    new trace.SimpleSpanProcessor(seenSpans),
  ],
  logRecordProcessors: [
    new logs.BatchLogRecordProcessor({ exporter: new OTLPLogExporter() }),
    new logs.SimpleLogRecordProcessor({ exporter: seenLogs }),
  ],
  instrumentations: [new HttpInstrumentation(), new FastifyInstrumentation(), new PgInstrumentation()],
})
sdk.start()

const requests = 24

async function main() {
  const http = require('node:http')
  const { Pool } = require('pg')
  const pool = new Pool(JSON.parse(process.env.SERVICE_DATABASE))
  const logger = logsApi.getLogger('orders')
  const app = require('fastify')()
  app.get('/orders/:id', async ({ params }) => {
    const { rows } = await pool.query('SELECT $1::text AS id', [params.id])
    logger.emit({ severityNumber: SeverityNumber.INFO, severityText: 'INFO', body: `order ${params.id}` })
    api.trace.getActiveSpan()?.addEvent('feature_flag.evaluation', {
      'feature_flag.key': 'checkout',
      'feature_flag.result.variant': Number(params.id) % 2 === 0 ? 'new' : 'old',
      'feature_flag.context.id': `user-${params.id}`,
    })
    return rows[0]
  })
  app.get('/broken', async () => {
    const error = new TypeError('no such order')
    const span = api.trace.getActiveSpan()
    span?.recordException(error)
    span?.setStatus({ code: api.SpanStatusCode.ERROR, message: error.message })
    throw error
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const get = (path) =>
    new Promise((resolve, reject) => {
      http.get(`${url}${path}`, (answer) => answer.resume().on('end', resolve)).on('error', reject)
    })
  const tracer = api.trace.getTracer('client')
  for (let n = 0; n < requests; n++) {
    await tracer.startActiveSpan(`visit ${n}`, async (span) => {
      await get(n % 6 === 5 ? '/broken' : `/orders/${n}`)
      span.end()
    })
  }
  await app.close()
  await pool.end()
  const spans = seenSpans.getFinishedSpans().map((span) => ({
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    parentId: span.parentSpanContext?.spanId ?? '',
    name: span.name,
    kind: span.kind,
    failed: span.status.code === 2,
    startedAt: span.startTime[0] * 1e6 + Math.floor(span.startTime[1] / 1e3),
    attributes: Object.keys(span.attributes).sort(),
    events: span.events.map(({ name }) => name),
  }))
  const records = seenLogs.getFinishedLogRecords().map((record) => ({
    body: record.body,
    traceId: record.spanContext?.traceId ?? '',
    spanId: record.spanContext?.spanId ?? '',
  }))
  await sdk.shutdown()
  process.stdout.write(JSON.stringify({ spans, records }))
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
