import assert from 'node:assert/strict';
import type { FindingName } from '../../../../src/relay/check/checkFindings.ts';
import { renderCheckReport } from '../../../../src/relay/check/checkReport.ts';

describe('the report of a check of a model', () => {
  it('names each finding and its verdict', () => {
    const names: [FindingName, string][] = [
      ['streaming', 'Streaming'],
      ['calls', 'Tool calls'],
      ['results', 'Tool results'],
      ['images', 'Image input'],
      ['reasoning', 'Visible reasoning'],
      ['effort', 'Reasoning effort'],
      ['caching', 'Prompt caching'],
      ['usage', 'Usage'],
      ['price', 'Price'],
      ['name', 'Model name'],
      ['chat-completions', 'Chat completions'],
      ['messages', 'Messages protocol'],
      ['responses', 'Responses protocol'],
    ];
    const findings = [
      ...names.map(([name]) => ({ name, verdict: 'ok', text: 'x' }) as const),
      ...(['warning', 'no', 'skipped'] as const).map(
        (verdict) => ({ name: 'usage', verdict, text: 'y' }) as const,
      ),
    ];
    const check = { model: 'm', requests: 2, tokens: 30, costs: [], facts: {}, findings };
    assert.deepEqual(renderCheckReport([check], ['Relay']).split('\n'), [
      ...['Relay', '', 'Model m', '2 requests, 30 tokens'],
      ...names.map(([, label]) => `[OK] ${label}: x`),
      ...['Warning', 'No', 'Skipped'].map((verdict) => `[${verdict}] Usage: y`),
      '',
    ]);
  });
});
