import cProfile, pstats, time, pytest
from tests.secrecy.scene import built, mixed
from tests.secrecy.comparison import compared
from tests.secrecy.worlds import standing_still
from tests.secrecy.roles import ROLES
pytestmark = pytest.mark.django_db
def test_it():
    with standing_still():
        t=time.process_time(); scene = built(); print("BUILT", time.process_time()-t)
        pr=cProfile.Profile(time.process_time); pr.enable()
        out = compared(scene, (mixed(0),mixed(1)), [ROLES[2]])
        pr.disable(); print("CELLS", out.comparisons)
        s=pstats.Stats(pr); s.sort_stats("cumulative").print_stats(170); s.sort_stats("tottime").print_stats(40)
