import { readFileSync } from 'node:fs';
import { earliestDeparture } from './departure.ts';
import type { Tide } from './tides.ts';

const draught = Number(process.argv[process.argv.indexOf('--draught') + 1]);
const tides: Tide[] = JSON.parse(readFileSync('tides.json', 'utf8')).map((tide: { time: string; height: number }) => ({
  time: new Date(tide.time),
  heightMetres: tide.height,
}));

const departure = earliestDeparture(tides, draught, new Date());
console.log(departure ? `You may leave at ${departure.toLocaleTimeString()}.` : 'Not today.');
