// Two services as teams have them: `shop` serves a page and takes orders, for which it asks `stock`, which asks
// PostgreSQL. With OpenTelemetry's own packages. Prints its address, and ends when its input does.

const { NodeSDK } = require('@opentelemetry/sdk-node')
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-proto')
const { BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { PgInstrumentation } = require('@opentelemetry/instrumentation-pg')

const sdk = new NodeSDK({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(), { scheduledDelayMillis: 200 })],
  instrumentations: [new HttpInstrumentation(), new PgInstrumentation()],
})
sdk.start()

const http = require('node:http')
const { Pool } = require('pg')
const { SERVICE_DATABASE, SERVICE_PAGE, SERVICE_STOCK } = process.env
const pool = SERVICE_DATABASE && new Pool(JSON.parse(SERVICE_DATABASE))

const get = (url) =>
  new Promise((resolve, reject) => {
    http.get(url, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject)
  })

const server = http.createServer(async (request, response) => {
  if (pool) {
    await pool.query('SELECT count(*) FROM pg_class')
    response.end('{}')
  } else if (request.url.startsWith('/api/')) {
    response.writeHead(await get(`${SERVICE_STOCK}/stock`)).end('{}')
  } else response.setHeader('content-type', 'text/html').end(SERVICE_PAGE)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
process.stdin.resume().on('end', async () => {
  server.closeAllConnections()
  server.close()
  await pool?.end()
  await sdk.shutdown()
  process.exit()
})
