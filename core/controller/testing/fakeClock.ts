export { FakeClock, settled } from '../../clock/testing/fakeClock';
