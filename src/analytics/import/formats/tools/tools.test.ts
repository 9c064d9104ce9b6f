import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRejected } from '../../wire-page-view.ts'
import { createParser, detectFormat } from '../formats.ts'

const read = (format: string, lines: readonly string[]) => {
  const parse = createParser(format)
  return lines.map((line) => {
    const parsed = parse(line)
    if (isRejected(parsed)) return parsed.rejected
    const { timestamp, ...rest } = parsed
    return Object.fromEntries(
      Object.entries({ at: new Date(timestamp).toISOString(), ...rest }).filter(([, value]) => value !== undefined),
    )
  })
}

const goatcounter = [
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date',
  '/guide/?x=1,"Guide, ""all""",false,,Firefox 120,Linux,cb75c1f5de54f22b,0,example.org/a?b=1,h,"1920,1080,1",DE,true,2024-03-01T10:11:12Z',
  '/,Home,false,,Chrome,Mac OS,0,0,Google,g,,US,true,2024-03-01T10:11:12+02:00',
  'signup,Sign up,true,,Chrome,Mac OS,cb75c1f5de54f22b,0,,,,US,false,2024-03-01T10:11:12Z',
  '/,Home,false,,Chrome,Mac OS,aa,150,,,,US,true,2024-03-01T10:11:12Z',
  '/,Home,false,,Chrome,Mac OS,aa,0,,,,US,true,yesterday',
  '/,"no end,false',
  'page,Title,false,,Chrome,Mac OS,aa,0,,,,US,true,2024-03-01T10:11:12Z',
]

test('page views of GoatCounter are read by the names of the heading', () => {
  const [heading, first, ...rest] = read('goatcounter', goatcounter)
  assert.equal(heading, 'not_a_visit')
  assert.deepEqual(first, {
    at: '2024-03-01T10:11:12.000Z',
    path: '/guide/',
    visitorId: 'cb75c1f5de54f22b',
    referrer: 'https://example.org/a',
  })
  assert.deepEqual(rest, [
    { at: '2024-03-01T08:11:12.000Z', path: '/' },
    'not_a_visit',
    'counted_as_bot',
    'bad_time',
    'not_this_format',
    'no_request',
  ])
  const older = [
    '1Path,Title,Event,Bot,Session,FirstVisit,Referrer,Referrer scheme,Browser,Screen size,Location,Date',
    '/a,A,false,0,6f1c7d60-0000-0000-0000-000000000001,true,,,Firefox,,NL,2020-10-01T00:00:00Z',
  ]
  assert.deepEqual(read('goatcounter', older)[1], {
    at: '2020-10-01T00:00:00.000Z',
    path: '/a',
    visitorId: '6f1c7d60-0000-0000-0000-000000000001',
  })
  assert.deepEqual(read('goatcounter', goatcounter.slice(1, 2)), ['not_this_format'], 'without a heading')
})

const event = '9b857702-bfe3-4135-989a-82afa920d5aa'
const session = 'df5e456a-7abd-5b7b-a6dc-ed57c4775369'
const umami = [
  '-- PostgreSQL database dump',
  String.raw`COPY public."user" (user_id, username) FROM stdin;`,
  'x\tadmin',
  String.raw`\.`,
  String.raw`COPY public.website (website_id, name, domain) FROM stdin;`,
  'w1\tDocs\thttps://Docs.example.com/',
  String.raw`\.`,
  'COPY public.website_event (event_id, website_id, session_id, created_at, url_path, url_query, referrer_path, referrer_domain, page_title, event_type, event_name) FROM stdin;',
  String.raw`${event}	w1	${session}	2025-10-08 01:54:16.502+00	/guide	utm_source=a	/x	example.org	A\tb	1	\N`,
  String.raw`${event}	w2	${session}	2025-10-08 03:54:16.502+02	/a\\b	\N	\N	\N	\N	1	\N`,
  String.raw`${event}	w1	${session}	2025-10-08 01:54:16+05:30	/	\N	\N	\N	\N	2	signup`,
  String.raw`${event}	w1	${session}	yesterday	/	\N	\N	\N	\N	1	\N`,
  'too\tfew',
  String.raw`\.`,
  String.raw`${event}	w1	${session}	2025-10-08 01:54:16.502+00	/guide	\N	\N	\N	A	1	\N`,
]

test('page views of Umami are read from blocks of COPY, and other tables are not', () => {
  const found = read('umami', umami)
  const view = { id: `umami ${event}`, visitorId: session }
  assert.deepEqual(
    found.filter((one) => one !== 'not_a_visit'),
    [
      {
        at: '2025-10-08T01:54:16.502Z',
        url: 'https://docs.example.com/guide',
        referrer: 'https://example.org/',
        ...view,
      },
      { at: '2025-10-08T01:54:16.502Z', path: String.raw`/a\b`, ...view },
      'bad_time',
    ],
  )
})

test('page views of Umami are read from INSERT statements, also without names', () => {
  const values = `'${event}', 'w1', '${session}', '2025-10-08 01:54:16.502+00', '/it''s', 1, NULL`
  const named = '(event_id, website_id, session_id, created_at, url_path, event_type, hostname)'
  const view = { id: `umami ${event}`, at: '2025-10-08T01:54:16.502Z', path: "/it's", visitorId: session }
  const views = (lines: readonly string[]) => read('umami', lines).filter((one) => one !== 'not_a_visit')
  assert.deepEqual(views([`INSERT INTO public.website_event ${named} VALUES (${values});`]), [view])
  const table = [
    'CREATE TABLE public.website_event (',
    ...['event_id uuid NOT NULL,', 'website_id uuid NOT NULL,', 'session_id uuid NOT NULL,'].map(
      (text) => `    ${text}`,
    ),
    ...['created_at timestamp(6),', 'url_path character varying(500),', 'event_type integer,', 'hostname text'].map(
      (text) => `    ${text}`,
    ),
    ');',
  ]
  assert.deepEqual(views([...table, `INSERT INTO public.website_event VALUES (${values});`]), [view])
  const several = [
    `INSERT INTO public.website_event ${named} VALUES`,
    `\t(${values}),`,
    `\t(${values});`,
    `(${values});`,
  ]
  assert.deepEqual(views(several), [view, view])
  assert.deepEqual(views([`INSERT INTO public.website_event VALUES (${values});`]), [], 'the columns are not known')
  assert.deepEqual(
    views([`INSERT INTO public.website_event ${named} VALUES (${values}`]),
    [],
    'the statement does not end',
  )
})

test('exports of tools are detected by their lines', () => {
  assert.equal(detectFormat(goatcounter), 'goatcounter')
  assert.equal(detectFormat(umami), 'umami')
  assert.equal(detectFormat(umami.slice(0, 7)), undefined)
})
