import type { EChartsOption, SeriesOption } from 'echarts'
import { widthOf } from '../fonts/fonts.ts'
import type { Chart } from './chart.schema.ts'

/** Okabe and Ito's colours, which people with any kind of colour blindness can tell apart; yellow, faint on white, last. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#4d4d4d', '#bfa800']
/** Told apart without colour, too. */
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond']
const DASHES = ['solid', 'dashed', 'dotted'] as const
const TEXT = '#1f2933'
const FAINT = '#52606d'
const LINES = '#d9dee4'
export const FONT_FAMILY = 'Noto Sans, DejaVu Sans, Noto Emoji, sans-serif'

const MOST_LABELLED_VALUES = 12
const MOST_MARKED_VALUES = 60
/** Names of more categories are left out where they would touch, instead of being wrapped. */
const MOST_WRAPPED_NAMES = 12

const LEGEND = { fontSize: 13, itemWidth: 25, gap: 18, rowHeight: 24 }

/** @param width of the chart in pixels, by which its legend and long names are wrapped. */
export function chartOptions(chart: Chart, width: number): EChartsOption {
  const isRound = chart.type === 'pie' || chart.type === 'donut'
  const named = chart.series.some(({ name }) => name)
  const hasLegend = !isRound && (chart.series.length > 1 || (named && !chart.y_label))
  const names = chart.series.map(nameOf)
  const legendHeight = hasLegend ? 10 + legendRows(names, width - 60) * LEGEND.rowHeight : 0
  // Patterns tell the second round of colours from the first; slices have their names beside them.
  const needsPatterns = !isRound && chart.series.length > COLOURS.length
  const top = 16 + (chart.title ? 30 : 0) + (chart.subtitle ? 26 : 0) + (chart.y_label && !isRound ? 22 : 0)
  return {
    animation: false,
    backgroundColor: '#ffffff',
    color: COLOURS,
    textStyle: { fontFamily: FONT_FAMILY, color: TEXT, fontSize: 13 },
    aria: { enabled: needsPatterns, decal: { show: needsPatterns } },
    title: {
      text: chart.title ?? '',
      subtext: chart.subtitle ?? '',
      left: 16,
      top: 12,
      textStyle: {
        fontFamily: FONT_FAMILY,
        color: TEXT,
        fontSize: 18,
        fontWeight: 'bold',
        width: width - 32,
        overflow: 'break',
      },
      subtextStyle: { fontFamily: FONT_FAMILY, color: FAINT, fontSize: 13, width: width - 32, overflow: 'break' },
    },
    legend: hasLegend
      ? {
          bottom: 10,
          left: 'center',
          width: width - 60,
          itemGap: LEGEND.gap,
          textStyle: { color: TEXT, fontFamily: FONT_FAMILY, fontSize: LEGEND.fontSize },
        }
      : { show: false },
    grid: {
      left: 24,
      right: 28,
      top: top + 8,
      bottom: 16 + legendHeight + (chart.x_label ? 24 : 0),
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    ...(isRound ? {} : axes(chart, width)),
    series: isRound ? [slices(chart, top, width)] : chart.series.map((_, index) => seriesOf(chart, index)),
  }
}

function axes(chart: Chart, width: number): Pick<EChartsOption, 'xAxis' | 'yAxis'> {
  const { categories, type, unit = '', x_label, y_label } = chart
  const isFlipped = type === 'bar' && chart.horizontal === true
  const values = {
    type: 'value' as const,
    // Bars that do not begin at zero lie; lines may.
    scale: type === 'scatter' || type === 'line',
    axisLabel: { color: FAINT, formatter: (value: number) => withUnit(value, unit) },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: LINES } },
  }
  const along = categories
    ? {
        type: 'category' as const,
        data: categories.map(String),
        boundaryGap: type === 'bar',
        // The first category stands on top, as it does in a list.
        inverse: isFlipped,
        axisLabel: {
          color: FAINT,
          hideOverlap: !isFlipped,
          ...(isFlipped || categories.length <= MOST_WRAPPED_NAMES
            ? {
                interval: 0,
                width: isFlipped ? width / 3 : (width - 120) / categories.length - 6,
                overflow: 'break' as const,
              }
            : {}),
        },
        axisLine: { lineStyle: { color: FAINT } },
        axisTick: { alignWithLabel: true, lineStyle: { color: FAINT } },
      }
    : {
        ...values,
        scale: true,
        axisLabel: { color: FAINT, formatter: (value: number) => withUnit(value, '') },
        axisLine: { show: true, onZero: false, lineStyle: { color: FAINT } },
      }
  const nameStyle = { fontFamily: FONT_FAMILY, color: FAINT, fontSize: 13 }
  const across = {
    name: x_label,
    nameLocation: 'middle' as const,
    nameGap: 34,
    nameTextStyle: nameStyle,
    nameMoveOverlap: true,
  }
  // Above the axis, where it can be read without turning the head.
  const up = { name: y_label, nameLocation: isFlipped ? ('start' as const) : ('end' as const), nameGap: 14 }
  const upStyle = { ...nameStyle, align: 'left' as const }
  const vertical = { ...up, nameTextStyle: upStyle }
  return isFlipped
    ? { xAxis: { ...values, ...across }, yAxis: { ...along, ...vertical } }
    : { xAxis: { ...along, ...across }, yAxis: { ...values, ...vertical } }
}

function seriesOf(chart: Chart, index: number): SeriesOption {
  const { type, stacked, unit = '', series, horizontal } = chart
  const { values, points } = series[index]!
  const data = points ?? values ?? []
  const symbol = SYMBOLS[index % SYMBOLS.length]
  const common = { name: nameOf(series[index]!, index), data }
  if (type === 'scatter') return { ...common, type: 'scatter', symbol, symbolSize: 9, itemStyle: { opacity: 0.75 } }
  if (type === 'bar') {
    const isLabelled = series.length * data.length <= MOST_LABELLED_VALUES && !stacked
    return {
      ...common,
      type: 'bar',
      stack: stacked ? 'all' : undefined,
      barMaxWidth: 56,
      itemStyle: stacked ? { borderColor: '#ffffff', borderWidth: 1 } : {},
      label: {
        show: isLabelled,
        position: horizontal ? 'right' : 'top',
        color: TEXT,
        fontFamily: FONT_FAMILY,
        fontSize: 12,
        formatter: ({ value }) => (typeof value === 'number' ? withUnit(value, unit) : ''),
      },
    }
  }
  return {
    ...common,
    type: 'line',
    stack: type === 'area' && stacked ? 'all' : undefined,
    symbol,
    symbolSize: 7,
    showSymbol: data.length <= MOST_MARKED_VALUES,
    lineStyle: { width: 2.5, type: DASHES[Math.floor(index / COLOURS.length) % DASHES.length] },
    areaStyle: type === 'area' ? { opacity: stacked ? 0.7 : 0.25 } : undefined,
  }
}

/** Each slice carries its name, so that nobody has to match colours. */
function slices({ type, categories = [], series, unit = '' }: Chart, top: number, width: number): SeriesOption {
  const values = series[0]?.values ?? []
  return {
    type: 'pie',
    radius: type === 'donut' ? ['42%', '72%'] : [0, '72%'],
    top: top - 10,
    bottom: 10,
    startAngle: 90,
    minShowLabelAngle: 2,
    itemStyle: { borderColor: '#ffffff', borderWidth: 2 },
    label: {
      color: TEXT,
      fontFamily: FONT_FAMILY,
      fontSize: 13,
      width: width / 4,
      overflow: 'break',
      formatter: ({ name, value, percent }) =>
        `${name}: ${withUnit(Number(value), unit)}${unit === '%' ? '' : ` (${percent?.toFixed(1)}%)`}`,
    },
    labelLine: { lineStyle: { color: FAINT } },
    data: categories.map((name, index) => ({ name: String(name), value: values[index] ?? 0 })),
  }
}

const nameOf = ({ name }: Chart['series'][number], index: number): string => name ?? `Series ${index + 1}`

function legendRows(names: string[], width: number): number {
  let rows = 1
  let used = 0
  for (const name of names) {
    const needed = LEGEND.itemWidth + 5 + widthOf(name, LEGEND.fontSize)
    if (used > 0 && used + LEGEND.gap + needed > width) {
      rows++
      used = 0
    }
    used += (used > 0 ? LEGEND.gap : 0) + needed
  }
  return rows
}

const large = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** `1,250 €`, `12%`, `0.00125`. */
function withUnit(value: number, unit: string): string {
  const number = (Math.abs(value) >= 1 ? large : small).format(value)
  return unit === '' ? number : /^[%°‰]/.test(unit) ? `${number}${unit}` : `${number} ${unit}`
}
