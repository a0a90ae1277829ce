// The plugin of docs/nav2.md, which is PLUGIN, with stand-ins for ROS.
#include PLUGIN

#include "../../c/tests/check.hpp"

static geometry_msgs::msg::PoseStamped at(double x, double y) {
    geometry_msgs::msg::PoseStamped stamped;
    stamped.pose.position.x = x;
    stamped.pose.position.y = y;
    return stamped;
}

int main() {
    const auto node = std::make_shared<rclcpp_lifecycle::LifecycleNode>();
    const auto costmap = std::make_shared<nav2_costmap_2d::Costmap2DROS>();
    node->parameters.emplace("grid.tolerance", 0.0);
    octile_planner::OctilePlanner planner;
    planner.configure(node, "grid", nullptr, costmap);
    planner.activate();

    const nav_msgs::msg::Path path = planner.createPlan(at(-0.9, -0.9), at(1.93, 0.93), [] { return false; });
    CHECK(path.header.frame_id == "map" && path.header.stamp == 7 && path.poses.size() > 60);
    CHECK(std::abs(path.poses.back().pose.position.x - 1.925) < 1e-9 && path.poses.back().pose.orientation.w == 1.0);
    CHECK(path.poses[1].header.frame_id == "map" && path.poses[1].pose.orientation.z > 0.0);

    costmap->costmap.costs.back() = octile::nav2::LETHAL;
    const auto plan = [&](double x, double y, bool is_cancelled) {
        planner.createPlan(at(-0.9, -0.9), at(x, y), [=] { return is_cancelled; });
    };
    CHECK(throws<nav2_core::GoalOccupied>([&] { plan(1.99, 0.99, false); }, "the goal 1.99, 0.99 is occupied"));
    CHECK(throws<nav2_core::GoalOutsideMapBounds>([&] { plan(7.0, 7.0, false); }, "outside"));
    CHECK(throws<nav2_core::PlannerCancelled>([&] { plan(0.0, 0.0, true); }, "cancelled"));
    planner.deactivate();
    planner.cleanup();
}
