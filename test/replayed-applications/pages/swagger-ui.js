// The documentation of an API, a React application of thousands of nodes.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'

const host = document.body.appendChild(document.createElement('div'))
host.id = 'api'
const answer = {
  200: {
    description: 'Fine',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Article' } } },
  },
}
const paths = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `/articles/${index}/{part}`,
    {
      get: {
        tags: ['articles'],
        summary: `Read article ${index}`,
        parameters: [{ name: 'part', in: 'path', required: true, schema: { type: 'string' } }],
        responses: answer,
      },
      delete: { tags: ['articles'], summary: `Delete article ${index}`, responses: answer },
    },
  ]),
)
const Article = {
  type: 'object',
  properties: { name: { type: 'string', example: 'Bell' }, price: { type: 'number' } },
}
const spec = {
  openapi: '3.0.0',
  info: { title: 'Pedal & Post', version: '1' },
  paths,
  components: { schemas: { Article } },
}
const loaded = new Promise((resolve) =>
  SwaggerUI({ spec, domNode: host, onComplete: resolve, validatorUrl: null }),
)

window.steps = {
  'as it was loaded': () => loaded,
  'one call is open': () => document.querySelectorAll('.opblock-summary-control')[1].click(),
  'it can be tried': () => document.querySelector('.try-out__btn').click(),
  'the group is closed': () => document.querySelector('.opblock-tag').click(),
}
