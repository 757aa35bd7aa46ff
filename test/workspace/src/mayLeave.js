import { marginMetres } from './margin.js';

/** Whether a boat clears the sill at a height of the water, with this wind. */
export function mayLeave(heightMetres, draughtMetres, windForce) {
  return heightMetres > draughtMetres + marginMetres();
}
