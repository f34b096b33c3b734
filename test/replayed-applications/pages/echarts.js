// Charts in SVG, drawn anew with each change.
import * as echarts from 'echarts'

const host = document.body.appendChild(document.createElement('div'))
host.style.cssText = 'width: 900px; height: 500px'
const chart = echarts.init(host, null, { renderer: 'svg' })
const values = (by) => Array.from({ length: 60 }, (_, index) => Math.round(50 + 40 * Math.sin(index / by)))
const option = (by) => ({
  animation: false,
  title: { text: 'Orders per hour' },
  legend: {},
  tooltip: {},
  xAxis: { type: 'category', data: Array.from({ length: 60 }, (_, index) => `${index}`) },
  yAxis: {},
  series: [
    { name: 'bells', type: 'line', data: values(by), areaStyle: {} },
    { name: 'locks', type: 'bar', data: values(by + 3) },
  ],
})
chart.setOption(option(5))

window.steps = {
  'as it was loaded': () => undefined,
  'with other data': () => chart.setOption(option(9)),
  'with a tooltip': () => chart.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: 20 }),
  'without a series': () => chart.dispatchAction({ type: 'legendUnSelect', name: 'locks' }),
}
